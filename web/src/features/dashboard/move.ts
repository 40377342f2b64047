/** Returns the list with one entry moved; `order` counts from 1. */
export function moveTo<T extends { id: string }>(items: readonly T[], id: string, order: number): T[] {
  const target = items.find((item) => item.id === id)
  const others = items.filter((item) => item.id !== id)
  return target ? [...others.slice(0, order - 1), target, ...others.slice(order - 1)] : others
}
