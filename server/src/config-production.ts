/**
 * What production refuses to start with: demo parts, simulated peers, missing or weak secrets, connections without TLS.
 */
import type { Variables } from './config-variables.ts'
import { secretWeakness } from './lib/secret-strength.ts'

/** The test merchant from the gateway's published examples. Its key is public. */
export const testMerchant = { code: 'M00003', key: 'apple' }

/** What the checks need to know besides the variables themselves. */
type ProductionFacts = {
  demo: boolean
  publicUrl: string
  /** Names of variables that hold addresses of the payment gateway. */
  gatewayAddresses: Readonly<Record<string, string>>
  /** Names of variables that configure a simulated carrier or a test server. */
  simulatedCarriers: readonly string[]
}

const requiredNames = [
  'DATABASE_URL',
  'SECRET_KEY',
  'SMTP_URL',
  'IPAY88_MERCHANT_CODE',
  'IPAY88_MERCHANT_KEY',
  'PUBLIC_URL',
] as const satisfies readonly (keyof Variables)[]

/** Lists every reason not to start in production, one sentence each, beginning with the name of the variable. */
export function productionProblems(values: Variables, facts: ProductionFacts): string[] {
  const problems: string[] = []
  for (const name of requiredNames) if (values[name] === undefined) problems.push(`${name}: is required in production.`)
  if (facts.demo) problems.push('DEMO: must be off in production.')
  if (values.PUBLIC_URL && !values.PUBLIC_URL.startsWith('https:'))
    problems.push('PUBLIC_URL: must begin with https:// in production.')
  if (values.WEBHOOK_TARGETS === 'any')
    problems.push('WEBHOOK_TARGETS: must be public in production; with "any" customers can call internal addresses.')
  if (values.DATA_DIR === undefined && values.S3_BUCKET === undefined)
    problems.push('DATA_DIR: is required in production: uploads in the folder of a release would be lost with it.')
  if (values.TRUST_PROXY === undefined) {
    problems.push(
      'TRUST_PROXY: is required in production: the addresses of the proxies in front, or off without a proxy. ' +
        'Otherwise all visitors share the limits of one address.',
    )
  }
  if (values.TRUST_PROXY === 'on') {
    problems.push(
      'TRUST_PROXY: must name the addresses of the proxies in production; with "on" any client can forge its own.',
    )
  }
  return [
    ...problems,
    ...weakSecrets(values),
    ...plainConnections(values),
    ...testMerchantProblems(values),
    ...simulatedPeers(facts),
  ]
}

function weakSecrets(values: Variables): string[] {
  const secrets = [
    ...(values.SECRET_KEY === undefined ? [] : [['SECRET_KEY', values.SECRET_KEY] as const]),
    ...values.SECRET_KEY_PREVIOUS.map((key) => ['SECRET_KEY_PREVIOUS', key] as const),
  ]
  return secrets.flatMap(([name, secret]) => {
    const weakness = secretWeakness(secret)
    return weakness ? [`${name}: ${weakness}; make one with "openssl rand -base64 48".`] : []
  })
}

/** Lists connections without TLS: passwords and personal data cross the network on each of them. */
function plainConnections(values: Variables): string[] {
  const problems: string[] = []
  const replicas = values.DATABASE_REPLICA_URL.map((address) => ['DATABASE_REPLICA_URL', address] as const)
  for (const [name, address] of [['DATABASE_URL', values.DATABASE_URL] as const, ...replicas]) {
    if (address && values.DATABASE_TLS === 'on' && !isLocal(address) && !usesTls(address)) {
      problems.push(
        `${name}: must end with ?sslmode=verify-full (or require), or set DATABASE_TLS=off on a private network.`,
      )
    }
  }
  for (const name of ['API_HOST', 'FILE_HOST_URL', 'DHL_TRACKING_URL'] as const) {
    if (values[name]?.startsWith('http:')) problems.push(`${name}: must begin with https:// in production.`)
  }
  if (values.MAILGUN_URL?.startsWith('http:'))
    problems.push('MAILGUN_URL: must begin with https:// in production; the API key is sent there.')
  if (values.S3_ENDPOINT?.startsWith('http:') && values.S3_TLS === 'on' && !isLocal(values.S3_ENDPOINT)) {
    problems.push('S3_ENDPOINT: must begin with https:// in production, or set S3_TLS=off on a private network.')
  }
  return problems
}

/** A Unix socket has no host; its folder is in the parameter `host`. */
function isLocal(address: string): boolean {
  const { hostname, searchParams } = new URL(address)
  const host = searchParams.get('host') ?? hostname
  return host === '' || host.startsWith('/') || isLoopback(host)
}

function usesTls(address: string): boolean {
  return ['require', 'verify-ca', 'verify-full'].includes(new URL(address).searchParams.get('sslmode') ?? '')
}

function testMerchantProblems(values: Variables): string[] {
  const problems: string[] = []
  if (values.IPAY88_MERCHANT_CODE === testMerchant.code) {
    problems.push(`IPAY88_MERCHANT_CODE: ${testMerchant.code} is the test merchant; production needs your own.`)
  }
  if (values.IPAY88_MERCHANT_KEY === testMerchant.key) {
    problems.push("IPAY88_MERCHANT_KEY: is the test merchant's published key; production needs your own.")
  }
  return problems
}

function simulatedPeers({ publicUrl, gatewayAddresses, simulatedCarriers }: ProductionFacts): string[] {
  const banks = Object.entries(gatewayAddresses).filter(([, address]) => isSimulatedGateway(address, publicUrl))
  return [
    ...banks.map(([name]) => `${name}: is not a bank's address (https, another host than PUBLIC_URL).`),
    ...simulatedCarriers.map(
      (name) => `${name}: is a simulated carrier or a test server; production needs the real one.`,
    ),
  ]
}

/** Whether the gateway's address is the demo's simulated bank: a real bank uses https on its own host. */
export function isSimulatedGateway(address: string, publicUrl: string): boolean {
  const { protocol, hostname } = new URL(address)
  return (
    protocol !== 'https:' ||
    isLoopback(hostname) ||
    hostname === new URL(publicUrl).hostname ||
    hostname.startsWith('sandbox.')
  )
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
