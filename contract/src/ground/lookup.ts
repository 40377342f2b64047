/**
 * What a table has of its own under a key that somebody wrote; never what every object inherits, such as `constructor`.
 */
export function lookup<V>(table: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
