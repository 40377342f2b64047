import { Component, type ReactNode } from 'react'
import { ErrorPanel } from './message-panel.tsx'

/** Shows a panel with a way out when rendering throws, instead of a blank page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return <ErrorPanel error={this.state.error} retry={() => location.reload()} />
  }
}
