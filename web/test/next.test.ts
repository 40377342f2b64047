import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeNext } from '../src/features/accounts/sign-in/next.ts'

const origin = 'https://portal.test'
const target = (next: string) => safeNext(`?${new URLSearchParams({ next })}`, '/dashboard', origin)

describe('the page after signing in', () => {
  it.each([
    ['/orders/7?tab=open#top', 'https://portal.test/orders/7?tab=open#top'],
    ['/staff', 'https://portal.test/staff'],
    ['/parcels?q=a%2Fb', 'https://portal.test/parcels?q=a%2Fb'],
  ])('is %s, a page of this site', (next, address) => {
    expect(target(next)).toBe(address)
  })

  it.each([
    '/\t/host.example/path',
    '/\n/host.example',
    '/\r\n/host.example',
    '//host.example',
    '/\\host.example',
    '\\\\host.example',
    'https://host.example',
    ' https://host.example',
    'javascript:alert(1)',
    '//host.example:99999',
    '/\t\\host.example',
    '',
  ])('is the first page for %j', (next) => {
    expect(target(next)).toBe('/dashboard')
  })

  it('is on this site if the path looks like another site', () => {
    expect(target('/.//host.example')).toBe('https://portal.test//host.example')
    expect(safeNext('?next=/%09/host.example/', '/dashboard', origin)).toBe('/dashboard')
    expect(safeNext('', '/staff', origin)).toBe('/staff')
  })

  it('is on this site for any input (property)', () => {
    const piece = fc.constantFrom('/', '\\', '\t', '\n', '\r', '.', '@', ':', '?', '#', 'host.example', 'https:', ' ')
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(text, (next) => {
        // Resolved in the same way as by `location.assign`.
        expect(new URL(target(next), `${origin}/login`).origin).toBe(origin)
      }),
      { numRuns: 2000 },
    )
  })
})
