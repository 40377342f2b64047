/** A response whose JSON text is there already: `route()` sends it as it is. `T` is what the text says. */
export class JsonText<T> {
  readonly text: string
  declare readonly value: T

  constructor(text: string) {
    this.text = text
  }
}
