/** The addresses that webhooks and push messages may call: the public internet, and nothing in our own network. */
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The only part of IPv6 that is routed publicly. It excludes ULA, NAT64 and every other way to an internal IPv4
 * address.
 */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address is a public one: not loopback, private, link-local (with the cloud's metadata service),
 * carrier-grade NAT, multicast or reserved, and not one of these as an IPv4-mapped, 6to4 or Teredo address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalIpv6)
}

/** A host of a webhook has an address that must not be called. */
export class RefusedAddress extends Error {
  readonly code = 'ADDRESS_REFUSED'
}

/** Every address of a host. Throws if it has none. */
export type Resolve = (host: string) => Promise<string[]>

/** The time limit of a name server; two attempts fit into the time of a delivery. */
const resolveMs = 1_500

/**
 * Resolves with DNS only. `getaddrinfo` would block one of four threads of the process for each slow name server, and
 * would know the names in this machine's hosts file.
 */
export const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: resolveMs, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [first] = answers
  if (addresses.length === 0) throw first.status === 'rejected' ? first.reason : new Error(`no address of ${host}`)
  return addresses
}

/** The address of a URL's host if it is written as a number; null for a name. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(host) ? host : null
}

/** Throws RefusedAddress unless every address of the URL's host may be called. */
export async function requirePublicHost(url: URL, resolve: Resolve): Promise<void> {
  const literal = literalAddress(url)
  const addresses = literal === null ? await resolve(url.hostname) : [literal]
  if (!addresses.every(isPublicAddress)) throw new RefusedAddress(`${url.hostname} is not a public address`)
}

/**
 * The `lookup` of a connection. It resolves and checks in one step, and the connection is made to the address that was
 * checked. A name that changes its address after an earlier check (DNS rebinding) gains nothing.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (resolved) => {
        const addresses: LookupAddress[] = resolved.map((address) => ({
          address,
          family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6,
        }))
        const [first] = addresses
        if (!first || !resolved.every(isPublicAddress)) done(new RefusedAddress(`${host} is not a public address`), [])
        else if (options.all) done(null, addresses)
        else done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    )
  }
}
