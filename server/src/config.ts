/** The environment, parsed once into a frozen object. Nothing else in the server reads process.env. */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isSimulatedGateway, productionProblems, testMerchant } from './config-production.ts'
import { readPushKeys } from './config-push.ts'
import { type Variables, variables } from './config-variables.ts'
import { prepareDataFolder } from './data-folder.ts'

type Frozen<T> = T extends readonly (infer E)[]
  ? readonly E[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T

/**
 * The configuration, read-only. Its types come from the variables' rules and from `build`, which describes each value.
 */
export type Config = Frozen<ReturnType<typeof build>>
/** Null: without credentials the carrier is off. */
export type CarrierAccess = Config['carriers']
/** The credentials for a carrier and the address of its API. */
export type DhlAccess = NonNullable<CarrierAccess['dhl']>
export type YundaAccess = NonNullable<CarrierAccess['yunda']>

/** The invalid values that prevent the start, one sentence each, beginning with the name of the variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Relative folders start at the repository's root, whichever folder a command was started in. */
const repositoryRoot = resolve(import.meta.dirname, '../..')

const ipay88Malaysia = 'https://payment.ipay88.com.my/ePayment'

type Environment = Record<string, string | undefined>

/**
 * Reads the configuration from `env` and the command line (`--role web|worker|all` takes precedence over ROLE).
 * Outside production a missing SECRET_KEY is generated once and kept in the data folder.
 * @throws ConfigError with every problem found, not only the first.
 */
export function loadConfig(env: Environment = process.env, args: readonly string[] = process.argv.slice(2)): Config {
  const { environment, problems } = withFlags(env, args)
  const parsed = variables.safeParse(environment)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) problems.push(`${String(issue.path[0])}: ${issue.message}.`)
    throw new ConfigError([...new Set(problems)])
  }
  const config = build(parsed.data, problems)
  if (config.env === 'production') problems.push(...unfitForProduction(config, parsed.data))
  else if (config.env === 'development' && !config.demo && !config.mail.smtpUrl)
    problems.push('SMTP_URL: is required when DEMO is off.')
  if (problems.length > 0) throw new ConfigError(problems)
  return freeze(config)
}

function withFlags(env: Environment, args: readonly string[]): { environment: Environment; problems: string[] } {
  // An empty or blank variable counts as unset: compose files and unit files leave one out that way.
  const environment = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''))
  const problems: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const [name, inline] = args[at]?.split('=', 2) ?? []
    if (name !== '--role') problems.push(`${args[at]}: there is no such option (only --role).`)
    else environment.ROLE = inline ?? args[++at] ?? ''
  }
  return { environment, problems }
}

function build(values: Variables, problems: string[]) {
  const production = values.NODE_ENV === 'production'
  // Tests bring their own data.
  const demo = values.DEMO ? values.DEMO === 'on' : values.NODE_ENV === 'development'
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  const dataDir = resolve(repositoryRoot, values.DATA_DIR ?? '.data')
  // Without a configured merchant, payments go to the demo's simulated bank.
  const simulatedBank = `${publicUrl}/simulated-bank`
  const bank = production ? ipay88Malaysia : simulatedBank
  const trustProxy = values.TRUST_PROXY ?? 'off'
  const secretKey = values.SECRET_KEY ?? (production ? '' : keptSecretKey(dataDir, problems))
  return {
    env: values.NODE_ENV,
    /** True for the demo deployment: sample data, a simulated bank and mailbox. Never in production. */
    demo,
    /** What this process does: answer requests, run jobs, or both. */
    role: values.ROLE,
    logLevel: values.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    /** Absolute path. Holds the embedded database, generated secrets and uploaded files. */
    dataDir,
    /** At least 32 characters; signs sessions and encrypts stored secrets. */
    secretKey,
    /** Earlier keys: data that they signed or encrypted can still be read, but nothing new is written with them. */
    previousSecretKeys: values.SECRET_KEY_PREVIOUS,
    http: {
      host: values.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
      /** 0: any free port. */
      port: values.PORT,
      /** The public URL of the portal, without a trailing slash. */
      publicUrl,
      /** Where the browser calls the API, if not on publicUrl. */
      apiHost: values.API_HOST,
      /** Where GET /{id}/file is served, if not on publicUrl. */
      fileHostUrl: values.FILE_HOST_URL,
      /** Whose X-Forwarded-* headers are trusted: none, all, or those from these addresses and networks. */
      trustProxy: trustProxy === 'on' || (trustProxy !== 'off' && trustProxy.split(/\s*,\s*/)),
      /** The limit per user, or per address without a session. Sign-in and codes have lower limits of their own. */
      requestsPerMinute: values.REQUESTS_PER_MINUTE,
    },
    /** Null: this process serves no metrics. Port 0: any free port. */
    metrics: values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    database: {
      /** Undefined: the embedded PostgreSQL in dataDir. */
      url: values.DATABASE_URL,
      /** Streaming replicas of `url`, which answer reads. */
      replicaUrls: values.DATABASE_REPLICA_URL,
      poolMax: values.DATABASE_POOL_MAX,
    },
    mail: {
      /** Undefined: the demo's own mailbox. */
      smtpUrl: values.SMTP_URL,
      from: values.MAIL_FROM,
      /** Undefined: Mailgun's default address. */
      mailgunUrl: values.MAILGUN_URL,
      /** Refuse a mail server that does not encrypt. Always off outside production. */
      requireTls: production && values.SMTP_TLS === 'on',
    },
    ipay88: {
      merchantCode: values.IPAY88_MERCHANT_CODE ?? testMerchant.code,
      merchantKey: values.IPAY88_MERCHANT_KEY ?? testMerchant.key,
      entryUrl: values.IPAY88_ENTRY_URL ?? `${bank}/entry.asp`,
      enquiryUrl: values.IPAY88_ENQUIRY_URL ?? `${bank}/enquiry.asp`,
      signatureType: values.IPAY88_SIGNATURE_TYPE,
    },
    carriers: readCarriers(values, publicUrl, problems),
    /** How long a carrier may take to answer. */
    carrierTimeoutMs: values.CARRIER_TIMEOUT_MS,
    /** Null: uploaded files are in DATA_DIR/files. */
    s3: readBucket(values, problems),
    /** Null: no push messages. */
    push: readPushKeys(values, { production, secretKey, publicUrl }, problems),
    /** How long events of a parcel are gathered into one message to its followers. */
    followGatherMs: values.FOLLOW_GATHER_MS,
    webhooks: {
      /** Whether webhooks may call addresses that are not public, also without TLS. Never in production. */
      anyAddress: values.WEBHOOK_TARGETS === 'any',
    },
  }
}

/** The bucket of uploaded files. An incomplete configuration is an error: files would silently go to the disk. */
function readBucket(values: Variables, problems: string[]) {
  const needed = {
    S3_BUCKET: values.S3_BUCKET,
    S3_REGION: values.S3_REGION,
    S3_ACCESS_KEY_ID: values.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: values.S3_SECRET_ACCESS_KEY,
  }
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (missing.length === Object.keys(needed).length && values.S3_ENDPOINT === undefined) return null
  for (const name of missing) problems.push(`${name}: is required together with the bucket's other variables.`)
  return {
    bucket: values.S3_BUCKET ?? '',
    region: values.S3_REGION ?? '',
    /** Undefined: Amazon's endpoint for the region. */
    endpoint: values.S3_ENDPOINT,
    /** `https://host/bucket/key` instead of `https://bucket.host/key`. */
    pathStyle: values.S3_PATH_STYLE === 'on',
    accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
    /** How long a call may take, and how long a download may pause. */
    timeoutMs: values.S3_TIMEOUT_MS,
  }
}

/** The carriers that have credentials. Incomplete credentials are an error; they do not turn the carrier off. */
function readCarriers(values: Variables, publicUrl: string, problems: string[]) {
  const complete = <K extends keyof Variables>(...names: K[]): Record<K, string> | null => {
    const missing = names.filter((name) => values[name] === undefined)
    if (missing.length === names.length) return null
    for (const name of missing) problems.push(`${name}: is required together with the carrier's other credentials.`)
    return missing.length === 0 ? (values as unknown as Record<K, string>) : null
  }
  const dhl = complete('DHL_EXPRESS_USERNAME', 'DHL_EXPRESS_PASSWORD', 'DHL_EXPRESS_ACCOUNT')
  const yunda = complete('YUNDA_APP_KEY', 'YUNDA_APP_SECRET', 'YUNDA_PARTNER_ID', 'YUNDA_PARTNER_SECRET')
  return {
    dhl: dhl && {
      /** True for the demo's simulated carrier or a test server. */
      simulated: isTestCarrier(values.DHL_EXPRESS_URL, publicUrl),
      baseUrl: values.DHL_EXPRESS_URL,
      username: dhl.DHL_EXPRESS_USERNAME,
      password: dhl.DHL_EXPRESS_PASSWORD,
      /** The shipper's account number at DHL. */
      account: dhl.DHL_EXPRESS_ACCOUNT,
      /** DHL's other tracking API, used when the first has no answer; null: not configured. */
      tracking: values.DHL_TRACKING_KEY ? { url: values.DHL_TRACKING_URL, key: values.DHL_TRACKING_KEY } : null,
    },
    yunda: yunda && {
      simulated: isTestCarrier(values.YUNDA_URL, publicUrl),
      baseUrl: values.YUNDA_URL,
      appKey: yunda.YUNDA_APP_KEY,
      appSecret: yunda.YUNDA_APP_SECRET,
      partnerId: yunda.YUNDA_PARTNER_ID,
      partnerSecret: yunda.YUNDA_PARTNER_SECRET,
    },
  }
}

/** Whether the address is a carrier's test server or our simulated carrier, where bookings move no parcel. */
function isTestCarrier(address: string, publicUrl: string): boolean {
  const { hostname, pathname } = new URL(address)
  return (
    isSimulatedGateway(address, publicUrl) ||
    ['api-mock.dhl.com', 'u-openapi.yundasys.com'].includes(hostname) ||
    /\/mydhlapi\/test$/.test(pathname)
  )
}

/** Lists the values of this configuration that production refuses. */
function unfitForProduction(config: Config, values: Variables): string[] {
  const carriers = { DHL_EXPRESS_URL: config.carriers.dhl, YUNDA_URL: config.carriers.yunda }
  return productionProblems(values, {
    demo: config.demo,
    publicUrl: config.http.publicUrl,
    gatewayAddresses: { IPAY88_ENTRY_URL: config.ipay88.entryUrl, IPAY88_ENQUIRY_URL: config.ipay88.enquiryUrl },
    simulatedCarriers: Object.entries(carriers).flatMap(([name, access]) => (access?.simulated ? [name] : [])),
  })
}

/**
 * Generates the secret key. Of several processes started together only one creates it, and none reads a partial file.
 */
function makeSecretKey(file: string): void {
  const unfinished = `${file}.${process.pid}`
  try {
    writeFileSync(unfinished, randomBytes(48).toString('base64url'), { mode: 0o600 })
    linkSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

function keptSecretKey(dataDir: string, problems: string[]): string {
  const file = join(dataDir, 'secret-key')
  try {
    prepareDataFolder(dataDir)
    if (!existsSync(file)) makeSecretKey(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') {
      problems.push(`DATA_DIR: ${dataDir} cannot be written (${code}).`)
      return ''
    }
  }
  try {
    const key = readFileSync(file, 'utf8').trim()
    // If the disk was full when the key was written, the file is empty, and an empty key would sign sessions.
    if (key.length < 32)
      problems.push(`DATA_DIR: ${file} is damaged; restore it, or remove it where nothing was sealed yet.`)
    return key
  } catch (error) {
    problems.push(
      `DATA_DIR: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}); it belongs to another account.`,
    )
    return ''
  }
}

function freeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part)
  return Object.freeze(value)
}
