import { measurePages } from '../web/page-sizes.ts'
import { alone, type Figure } from './results.ts'

/** P10, sizes: the gzipped JavaScript and CSS that a page needs, from the build's manifest. */
export function p10Sizes(): Figure[] {
  return measurePages().map(({ id, what, size, limit }) =>
    alone({
      id: `P10 ${id}`,
      what: `JavaScript and CSS of the ${what}, gzip`,
      ours: size,
      unit: 'kB',
      goal: { compare: 'at most', value: limit },
    }),
  )
}
