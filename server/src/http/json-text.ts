/** A response whose JSON text already exists: `route()` sends it unchanged. `T` is the type of its content. */
export class JsonText<T> {
  readonly text: string
  declare readonly value: T

  constructor(text: string) {
    this.text = text
  }
}
