import { Component, type ReactNode } from 'react'
import { errorMessage } from '../../lib/api.ts'
import { ErrorPanel } from './message-panel.tsx'
import { notify } from './notify.tsx'

type Props = {
  children: ReactNode
  /** For a dialog: it is closed, and a message shows the error. */
  onClose?: (() => void) | undefined
}

/** Shows a panel with a way out in place of its children when rendering them throws, instead of a blank page. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    const { onClose } = this.props
    if (!onClose) return
    notify.error(errorMessage(error))
    onClose()
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return this.props.onClose ? null : <ErrorPanel error={this.state.error} retry={() => location.reload()} />
  }
}
