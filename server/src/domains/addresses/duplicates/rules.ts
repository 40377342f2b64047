/** Builds groups of duplicates from pairs. */
import { duplicateLimits } from '@waybill/contract/addresses/duplicates'

type Kind = 'same' | 'similar'
export type PairGroup = { kind: Kind; ids: string[] }

/**
 * Groups of addresses that are connected by pairs; groups with only `same` pairs come first. A group larger than the
 * limit shows its first addresses; the others follow once these are merged.
 */
export function groupPairs(pairs: readonly { first_id: string; second_id: string; kind: Kind }[]): PairGroup[] {
  const parents = new Map<string, string>()
  const findRoot = (id: string): string => {
    let root = id
    for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root)) {
      root = parent
    }
    // Path compression: long chains would otherwise take quadratic time.
    parents.set(id, root)
    return root
  }
  for (const { first_id, second_id } of pairs) {
    const [one, other] = [findRoot(first_id), findRoot(second_id)]
    parents.set(one, one)
    parents.set(other, one)
  }
  const groups = new Map<string, PairGroup>()
  for (const id of parents.keys()) {
    const root = findRoot(id)
    const group = groups.get(root) ?? { kind: 'same', ids: [] }
    group.ids.push(id)
    groups.set(root, group)
  }
  for (const { first_id, kind } of pairs) {
    const group = groups.get(findRoot(first_id))
    if (group && kind === 'similar') group.kind = 'similar'
  }
  const inOrder = [...groups.values()].sort((a, b) => a.kind.localeCompare(b.kind))
  return inOrder.map(({ kind, ids }) => ({ kind, ids: ids.sort().slice(0, duplicateLimits.group) }))
}
