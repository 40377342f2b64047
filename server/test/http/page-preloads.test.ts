import { expect, test } from 'vitest'
import { preloadHeader } from '../../src/http/page-preloads.ts'

const table = {
  '/parcels': ['/assets/parcels.js'],
  '/parcels/new': ['/assets/new.js', '/assets/new.css'],
  '/parcels/$id': ['/assets/parcel.js'],
  '/orders': [],
}

test('the page of a screen names its files: scripts as modules, styles as styles', () => {
  expect(preloadHeader(table, '/parcels/new')).toBe(
    '</assets/new.js>; rel=modulepreload; crossorigin, </assets/new.css>; rel=preload; as=style; crossorigin',
  )
})

test('a path with a parameter finds its screen, a named one goes before it', () => {
  expect(preloadHeader(table, '/parcels/0192')).toContain('/assets/parcel.js')
  expect(preloadHeader(table, '/parcels/new')).not.toContain('/assets/parcel.js')
})

test('nothing is named where a screen needs nothing, or is not known', () => {
  for (const path of ['/orders', '/nowhere', '/parcels/0192/more', '/', '/constructor'])
    expect(preloadHeader(table, path)).toBeUndefined()
})
