import { Component, type ReactNode } from 'react'

type Props = {
  children: ReactNode
  /** Replaces the children when rendering them throws. */
  renderError: (error: unknown) => ReactNode
  onError?: ((error: unknown) => void) | undefined
}

/** Shows an error in place of its children when rendering them throws, instead of a blank page. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    this.props.onError?.(error)
  }

  override render() {
    return this.state.error === null ? this.props.children : this.props.renderError(this.state.error)
  }
}
