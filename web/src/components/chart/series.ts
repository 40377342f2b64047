/** One value of each bar: its name in the legend, and its colour. */
export type Series = { key: string; label: string; tone: 'first' | 'second' | 'third' }

/** A position on the horizontal axis, with a value for each series by its key. */
export type Bar = { key: string; label: string; values: Readonly<Record<string, number>> }
