/** The environment variables that the server reads, each with its rule and its default. */
import { isIP } from 'node:net'
import { z } from 'zod'

const url = (protocols: string, error: string, isFit: (address: URL) => boolean = () => true) =>
  z
    .url({ protocol: new RegExp(`^(${protocols})$`), error, abort: true })
    .refine((text) => isFit(new URL(text)), { error })
const hasHost = ({ hostname }: URL) => hostname !== ''
/** Paths are appended to it, so it must end before a query, and a password in it would be published. */
const isPlainAddress = (address: URL) =>
  hasHost(address) && `${address.username}${address.password}${address.search}${address.hash}` === ''
const withoutSlash = (text: string) => text.replace(/\/+$/, '')
const webUrl = url(
  'https?',
  'must be an address such as https://portal.example.com, without a password or query',
  isPlainAddress,
).transform(withoutSlash)
/** The portal's pages are at the root of their host. */
const portalUrl = url(
  'https?',
  'must be an address such as https://portal.example.com, without a path, password or query',
  (address) => isPlainAddress(address) && address.pathname === '/',
).transform(withoutSlash)
const postgresUrl = url('postgres|postgresql', 'must look like postgres://user:password@host:5432/database')
const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .trim()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .refine((n) => n >= least && n <= most, { error })
}
/** An IP address, or a network such as `10.0.0.0/8`. */
const isAddressOrNetwork = (text: string) => {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}
const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

export const variables = z.object({
  NODE_ENV: choice(['production', 'development', 'test']).default('development'),
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: portalUrl.optional(),
  /** Default: `.data`, except in production. */
  DATA_DIR: z.string().optional(),
  DATABASE_URL: postgresUrl.optional(),
  /** One or more URLs, separated by commas. A password may contain a comma. */
  DATABASE_REPLICA_URL: z
    .string()
    .default('')
    .transform((text) => text.split(/\s*,\s*(?=postgres(?:ql)?:)/).filter((address) => address !== ''))
    .pipe(z.array(postgresUrl)),
  DATABASE_TLS: choice(['on', 'off']).default('on'),
  DATABASE_POOL_MAX: whole(2, 500).default(20),
  /** Serves `/metrics` and the health checks on a separate port; unset: no metrics. */
  METRICS_PORT: whole(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  ROLE: choice(['web', 'worker', 'all']).default('all'),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  DEMO: choice(['on', 'off']).optional(),
  SECRET_KEY: z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
  /** One or more earlier keys, separated by commas. */
  SECRET_KEY_PREVIOUS: z
    .string()
    .default('')
    .transform((text) => text.split(/\s*,\s*/).filter((key) => key !== ''))
    .refine((keys) => keys.every((key) => key.length >= 32), {
      error: 'must have at least 32 characters in each key',
    }),
  SMTP_URL: url('smtps?', 'must look like smtps://user:password@mail.example.com:465', hasHost).optional(),
  /** Replaces Mailgun's own address; for tests. */
  MAILGUN_URL: webUrl.optional(),
  SMTP_TLS: choice(['on', 'off']).default('on'),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>]+<)?[^\s<>@]+@[^\s<>@]+>?$/, { error: 'must look like "Waybill <no-reply@example.com>"' })
    .default('Waybill <no-reply@waybill.example>'),
  IPAY88_MERCHANT_CODE: z.string().max(20, { error: 'must have at most 20 characters' }).optional(),
  IPAY88_MERCHANT_KEY: z.string().optional(),
  IPAY88_ENTRY_URL: webUrl.optional(),
  IPAY88_ENQUIRY_URL: webUrl.optional(),
  IPAY88_SIGNATURE_TYPE: choice(['HMACSHA512', 'SHA256', 'SHA1']).default('HMACSHA512'),
  DHL_EXPRESS_USERNAME: z.string().optional(),
  DHL_EXPRESS_PASSWORD: z.string().optional(),
  DHL_EXPRESS_ACCOUNT: z
    .string()
    .regex(/^\d{9,10}$/, { error: 'must be an account number of nine or ten digits' })
    .optional(),
  DHL_EXPRESS_URL: webUrl.default('https://express.api.dhl.com/mydhlapi'),
  DHL_TRACKING_KEY: z.string().optional(),
  DHL_TRACKING_URL: webUrl.default('https://api-eu.dhl.com/track'),
  YUNDA_APP_KEY: z.string().optional(),
  YUNDA_APP_SECRET: z.string().optional(),
  YUNDA_PARTNER_ID: z.string().optional(),
  YUNDA_PARTNER_SECRET: z.string().optional(),
  YUNDA_URL: webUrl.default('https://openapi.yundaex.com'),
  CARRIER_TIMEOUT_MS: whole(100, 60_000).default(5000),
  /** Push messages to browsers; default: off in production, on elsewhere. */
  WEB_PUSH: choice(['on', 'off']).optional(),
  VAPID_PUBLIC_KEY: z.string().optional(),
  VAPID_PRIVATE_KEY: z.string().optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, { error: 'must begin with mailto: or https://' })
    .optional(),
  /**
   * `any`: webhooks and push messages may also call this machine and private networks, and over http; for tests and
   * development.
   */
  WEBHOOK_TARGETS: choice(['public', 'any']).default('public'),
  TRUST_PROXY: z
    .string()
    .refine((text) => text === 'on' || text === 'off' || text.split(/\s*,\s*/).every(isAddressOrNetwork), {
      error: 'must be on, off, or addresses such as 10.0.0.0/8,192.168.1.1',
    })
    .optional(),
  /** How long events of a parcel are gathered into one message to its followers. */
  FOLLOW_GATHER_MS: whole(0, 3_600_000).default(60_000),
  REQUESTS_PER_MINUTE: whole(10, 1_000_000_000).default(1200),
  /** Uploaded files go into this bucket instead of DATA_DIR/files. */
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'must be the name of a bucket' })
    .optional(),
  S3_REGION: z.string().optional(),
  /** Default: Amazon's endpoint for the region. */
  S3_ENDPOINT: webUrl.optional(),
  S3_PATH_STYLE: choice(['on', 'off']).default('off'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_TLS: choice(['on', 'off']).default('on'),
  S3_TIMEOUT_MS: whole(100, 60_000).default(10_000),
  API_HOST: webUrl.optional(),
  FILE_HOST_URL: webUrl.optional(),
})

/** The environment after validation. */
export type Variables = z.infer<typeof variables>
