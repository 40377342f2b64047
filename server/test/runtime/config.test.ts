import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../src/config.ts'
import { secretWeakness } from '../../src/lib/secret-strength.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'waybill-config-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

const productionVariables = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://portal.courier.example',
  DATABASE_URL: 'postgres://waybill:secret@db.internal/waybill?sslmode=verify-full',
  SECRET_KEY: 'kD3vR9mX2qL7tB5wZ8nC4hJ6gF1sPyUe',
  SMTP_URL: 'smtps://user:secret@mail.courier.example',
  IPAY88_MERCHANT_CODE: 'M12345',
  IPAY88_MERCHANT_KEY: 'not the published one',
  TRUST_PROXY: '10.0.0.0/8',
}

function getProblems(env: Record<string, string | undefined>, args: string[] = []): readonly string[] {
  try {
    loadConfig({ DATA_DIR: dataDir, ...env }, args)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('push messages', () => {
  const keys = {
    VAPID_PUBLIC_KEY: 'BNbxGYNMhEIi9zrneh7mqV4oUanjLUK3m-mYZBc62frMKrEoMk88r3Lk596T0ck9xlT-aok0fO1KXBLV4-XqxYM',
    VAPID_PRIVATE_KEY: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE',
    VAPID_SUBJECT: 'mailto:push@courier.example',
  }

  test('are off in production unless they are switched on, and then require a matching key pair', () => {
    expect(getProblems(productionVariables)).toEqual([])
    const on = { ...productionVariables, WEB_PUSH: 'on' }
    expect(getProblems(on).map((problem) => problem.split(':')[0])).toEqual(Object.keys(keys))
    expect(getProblems({ ...on, ...keys })).toEqual([
      'VAPID_PRIVATE_KEY: does not belong to VAPID_PUBLIC_KEY (npx web-push generate-vapid-keys).',
    ])
    expect(getProblems({ ...on, ...keys, VAPID_SUBJECT: 'push@courier.example' })[0]).toContain('VAPID_SUBJECT')
    // The generator of the curve is the public key of 1.
    const generator = [
      '04',
      '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
      '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
    ]
    const pair = { ...keys, VAPID_PUBLIC_KEY: Buffer.from(generator.join(''), 'hex').toString('base64url') }
    expect(getProblems({ ...on, ...pair })).toEqual([])
  })

  test('have their own keys in development, which stay the same after a restart', () => {
    const env = { SECRET_KEY: 'a secret of development that is long enough', DATA_DIR: dataDir }
    const [first, second] = [loadConfig(env, []), loadConfig(env, [])]
    expect(first.push?.publicKey).toHaveLength(87)
    expect(second.push).toEqual(first.push)
    expect(loadConfig({ ...env, WEB_PUSH: 'off' }, []).push).toBeNull()
  })
})

describe('without any variable', () => {
  test('an empty secret key, left by a full disk, stops the start and is not replaced', () => {
    const damaged = mkdtempSync(join(tmpdir(), 'waybill-config-'))
    writeFileSync(join(damaged, 'secret-key'), '')
    expect(getProblems({ DATA_DIR: damaged })).toEqual([expect.stringContaining('secret-key is damaged')])
    expect(readdirSync(damaged)).toEqual(['secret-key'])
    rmSync(damaged, { recursive: true })
  })

  test('the server is a demo for this machine only, with the simulated bank', () => {
    const config = loadConfig({ DATA_DIR: dataDir }, [])
    expect(config).toMatchObject({
      env: 'development',
      demo: true,
      role: 'all',
      http: { host: '127.0.0.1', port: 3000, publicUrl: 'http://localhost:3000', trustProxy: false },
      database: { url: undefined },
    })
    expect(config.ipay88.entryUrl.startsWith(config.http.publicUrl)).toBe(true)
  })

  test('the secret key is generated once, readable only by its owner', () => {
    const first = loadConfig({ DATA_DIR: dataDir }, []).secretKey
    expect(first.length).toBeGreaterThanOrEqual(32)
    expect(loadConfig({ DATA_DIR: dataDir }, []).secretKey).toBe(first)
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600)
  })

  test('the data folder is private, even one that an earlier release has created', () => {
    const strangers = (path: string) => statSync(path).mode & 0o006
    const folder = join(dataDir, 'made')
    loadConfig({ DATA_DIR: folder }, [])
    expect([strangers(folder), statSync(folder).mode & 0o060]).toEqual([0, 0])
    const old = join(dataDir, 'old')
    mkdirSync(old)
    chmodSync(old, 0o755)
    loadConfig({ DATA_DIR: old }, [])
    expect(strangers(old)).toBe(0)
    // A group may read it for backups.
    expect(statSync(old).mode & 0o050).toBe(0o050)
  })

  test('the configuration cannot be changed later', () => {
    const config = loadConfig({ DATA_DIR: dataDir }, [])
    expect(() => Object.assign(config.http, { port: 1 })).toThrow(TypeError)
  })
})

describe('production', () => {
  test('refuses webhooks to internal addresses', () => {
    expect(getProblems({ ...productionVariables, WEBHOOK_TARGETS: 'any' })).toEqual([
      expect.stringMatching(/^WEBHOOK_TARGETS: /),
    ])
    expect(loadConfig({ DATA_DIR: dataDir, ...productionVariables }, []).webhooks).toEqual({ anyAddress: false })
    expect(loadConfig({ DATA_DIR: dataDir }, []).webhooks).toEqual({ anyAddress: false })
  })

  test('requires a folder for uploads, unless they are in a bucket', () => {
    const folderless = { ...productionVariables, DATA_DIR: undefined }
    expect(getProblems(folderless)).toEqual([expect.stringMatching(/^DATA_DIR: .*required/)])
    const bucket = { S3_BUCKET: 'waybill', S3_REGION: 'ap', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
    expect(getProblems({ ...folderless, ...bucket })).toEqual([])
  })

  test('starts with the required variables', () => {
    expect(getProblems(productionVariables)).toEqual([])
    const config = loadConfig({ DATA_DIR: dataDir, ...productionVariables }, [])
    expect(config).toMatchObject({ demo: false, http: { host: '0.0.0.0' } })
    expect(config.ipay88.entryUrl).toBe('https://payment.ipay88.com.my/ePayment/entry.asp')
  })

  test.each([
    ...['DATABASE_URL', 'SECRET_KEY', 'SMTP_URL', 'IPAY88_MERCHANT_CODE', 'IPAY88_MERCHANT_KEY', 'PUBLIC_URL'],
    'TRUST_PROXY',
  ])('does not start without %s', (name) => {
    const problems = getProblems({ ...productionVariables, [name]: undefined })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name}: .*required`))
  })

  test.each([
    ['SECRET_KEY', 'a'.repeat(32), 'too few different characters'],
    ['SECRET_KEY', '0123456789ab0123456789ab0123456789ab', 'repeats one piece'],
    ['SECRET_KEY', 'change-me-change-it-please-abcdef', 'common word'],
    ['SECRET_KEY_PREVIOUS', 'z'.repeat(40), 'too few different characters'],
    ['IPAY88_MERCHANT_KEY', 'apple', 'published key'],
    ['TRUST_PROXY', 'on', 'addresses of the proxies'],
    ['DATABASE_URL', 'postgres://waybill:secret@db.internal/waybill', 'sslmode=verify-full'],
    ['DATABASE_URL', 'postgres://waybill:secret@db.internal/waybill?sslmode=prefer', 'sslmode=verify-full'],
    ['DATABASE_REPLICA_URL', 'postgres://waybill:secret@replica.internal/waybill', 'sslmode=verify-full'],
    [
      'DATABASE_REPLICA_URL',
      'postgres://w:s@one.internal/waybill?sslmode=require,postgres://w:s@two.internal/waybill',
      'sslmode=verify-full',
    ],
    ['DATABASE_REPLICA_URL', 'replica.internal', 'must look like postgres'],
  ])('refuses %s=%s', (name, value, reason) => {
    const problems = getProblems({ ...productionVariables, [name]: value })
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: .*${reason}`))])
  })

  test.each([
    { DATABASE_URL: 'postgres://waybill:secret@db.internal/waybill', DATABASE_TLS: 'off' },
    { DATABASE_URL: 'postgres://waybill:secret@127.0.0.1/waybill' },
    { DATABASE_URL: 'postgres://waybill:secret@localhost/waybill?host=/var/run/postgresql' },
    { TRUST_PROXY: 'off' },
    { SECRET_KEY: '3f9c1e7ab2d84056c9e1f0a7b35d2864' },
    { SECRET_KEY: 'x1Vt0fJqLrA9c2mN5zKe8wYpGdTbHsUo3iQkR7vX4lPnMjWyEaCgFhDuBtZrIoSx' },
  ])('starts with %o', (values) => {
    expect(getProblems({ ...productionVariables, ...values })).toEqual([])
  })

  test('requires TLS for the mail server unless it is switched off explicitly', () => {
    expect(loadConfig({ DATA_DIR: dataDir, ...productionVariables }, []).mail.requireTls).toBe(true)
    expect(loadConfig({ DATA_DIR: dataDir, ...productionVariables, SMTP_TLS: 'off' }, []).mail.requireTls).toBe(false)
    expect(loadConfig({ DATA_DIR: dataDir }, []).mail.requireTls).toBe(false)
  })

  test('never treats random keys as weak ones', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (seed) => {
        const key = createHash('sha512').update(seed).digest('base64url')
        expect(secretWeakness(key)).toBeNull()
      }),
    )
  })

  test.each([
    ['DEMO', 'on'],
    ['PUBLIC_URL', 'http://portal.courier.example'],
    ['API_HOST', 'http://api.courier.example'],
    ['FILE_HOST_URL', 'http://files.courier.example'],
    ['DHL_TRACKING_URL', 'http://api-eu.dhl.com/track'],
    ['IPAY88_MERCHANT_CODE', 'M00003'],
    ['IPAY88_ENTRY_URL', 'https://portal.courier.example/simulated-bank/entry.asp'],
    ['IPAY88_ENTRY_URL', 'https://localhost/entry.asp'],
    ['IPAY88_ENQUIRY_URL', 'http://payment.ipay88.com.my/ePayment/enquiry.asp'],
    ['IPAY88_ENQUIRY_URL', 'https://sandbox.ipay88.com.ph/epayment/enquiry.asp'],
  ])('does not start with %s=%s', (name, value) => {
    const problems = getProblems({ ...productionVariables, [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.startsWith(`${name}: `)).toBe(true)
  })
})

describe('invalid values', () => {
  test.each<[name: string, value: string]>([
    ...['70000', '30.5', 'http', '1e3', '0x10'].map((value): [string, string] => ['PORT', value]),
    ['NODE_ENV', 'prod'],
    ['ROLE', 'everything'],
    ['LOG_LEVEL', 'loud'],
    ['DEMO', 'true'],
    ...[
      'portal.courier.example',
      'ftp://portal.courier.example',
      'https://portal.courier.example/sub',
      'https://portal.courier.example?q=1',
      'https://user:word@portal.courier.example',
    ].map((value): [string, string] => ['PUBLIC_URL', value]),
    ['DATABASE_URL', 'mysql://db/waybill'],
    ['DATABASE_POOL_MAX', '1'],
    ['SECRET_KEY', 'too short'],
    ...['mail.courier.example', 'smtp://'].map((value): [string, string] => ['SMTP_URL', value]),
    ['MAIL_FROM', 'Waybill'],
    ...['yes', '10.0.0.0/99', '999.1.1.1'].map((value): [string, string] => ['TRUST_PROXY', value]),
    ['IPAY88_SIGNATURE_TYPE', 'MD5'],
  ])('%s=%s is named, without repeating the value', (name, value) => {
    const problems = getProblems({ [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.startsWith(`${name}: `)).toBe(true)
    if (name === 'SECRET_KEY') expect(problems[0]).not.toContain(value)
  })

  test('all invalid values are reported together', () => {
    expect(getProblems({ PORT: 'x', SECRET_KEY: 'x', DEMO: 'x' })).toHaveLength(3)
  })

  test('an empty or blank variable counts as unset', () => {
    expect(getProblems({ PORT: '', DATABASE_URL: '', METRICS_PORT: ' ' })).toEqual([])
    expect(getProblems({ ...productionVariables, IPAY88_MERCHANT_KEY: ' ' })).toEqual([
      'IPAY88_MERCHANT_KEY: is required in production.',
    ])
  })

  test('a data folder that cannot be created is reported', () => {
    const problems = getProblems({ DATA_DIR: join(import.meta.filename, 'below-a-file') })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^DATA_DIR: .*cannot be written \(ENOTDIR\)/)
  })
})

describe('the command line', () => {
  test('--role takes precedence over ROLE', () => {
    expect(loadConfig({ DATA_DIR: dataDir, ROLE: 'web' }, ['--role', 'worker']).role).toBe('worker')
    expect(loadConfig({ DATA_DIR: dataDir }, ['--role=web']).role).toBe('web')
  })

  test('an unknown option is named', () => {
    expect(getProblems({}, ['--port=1'])[0]).toMatch(/^--port=1: there is no such option/)
    expect(getProblems({}, ['--role'])[0]).toMatch(/^ROLE: must be one of/)
  })
})

test.each([
  ['on', true],
  ['off', false],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
])('TRUST_PROXY=%s', (value, expected) => {
  expect(loadConfig({ DATA_DIR: dataDir, TRUST_PROXY: value }, []).http.trustProxy).toEqual(expected)
})

describe('carriers', () => {
  const dhl = { DHL_EXPRESS_USERNAME: 'us', DHL_EXPRESS_PASSWORD: 'secret', DHL_EXPRESS_ACCOUNT: '123456789' }

  test('are closed without credentials, also in production', () => {
    expect(loadConfig({ DATA_DIR: dataDir, ...productionVariables }, []).carriers).toEqual({ dhl: null, yunda: null })
  })

  test('are called at their own addresses', () => {
    expect(loadConfig({ DATA_DIR: dataDir, ...productionVariables, ...dhl }, []).carriers.dhl).toEqual({
      simulated: false,
      baseUrl: 'https://express.api.dhl.com/mydhlapi',
      username: 'us',
      password: 'secret',
      account: '123456789',
      tracking: null,
    })
  })

  test('are refused with incomplete credentials', () => {
    expect(getProblems({ DHL_EXPRESS_USERNAME: 'us', DHL_EXPRESS_ACCOUNT: '123456789' })).toEqual([
      "DHL_EXPRESS_PASSWORD: is required together with the carrier's other credentials.",
    ])
  })

  test.each([
    'https://express.api.dhl.com/mydhlapi/test',
    'https://api-mock.dhl.com/mydhlapi',
    'http://127.0.0.1:4000/mydhlapi',
    'https://portal.courier.example/mydhlapi',
  ])('are refused in production if they are simulated: %s', (url) => {
    expect(getProblems({ ...productionVariables, ...dhl, DHL_EXPRESS_URL: url })).toEqual([
      'DHL_EXPRESS_URL: is a simulated carrier or a test server; production needs the real one.',
    ])
    expect(loadConfig({ DATA_DIR: dataDir, ...dhl, DHL_EXPRESS_URL: url }, []).carriers.dhl?.simulated).toBe(
      url !== 'https://portal.courier.example/mydhlapi',
    )
  })
})

describe('the bucket of uploaded files', () => {
  const bucket = {
    S3_BUCKET: 'waybill-files',
    S3_REGION: 'ap-southeast-1',
    S3_ACCESS_KEY_ID: 'AKIATEST',
    S3_SECRET_ACCESS_KEY: 'secret',
  }

  test('is optional; with a missing variable it is refused, with each missing name', () => {
    expect(loadConfig({ DATA_DIR: dataDir, ...productionVariables }, []).s3).toBeNull()
    expect(loadConfig({ DATA_DIR: dataDir, ...productionVariables, ...bucket }, []).s3).toMatchObject({
      bucket: 'waybill-files',
      endpoint: undefined,
      pathStyle: false,
    })
    for (const name of Object.keys(bucket)) {
      expect(getProblems({ ...productionVariables, ...bucket, [name]: undefined })).toEqual([
        `${name}: is required together with the bucket's other variables.`,
      ])
    }
    expect(getProblems({ ...productionVariables, S3_ENDPOINT: 'https://minio.internal' })).toHaveLength(4)
    expect(getProblems({ ...productionVariables, ...bucket, S3_BUCKET: 'Not a bucket' })).toHaveLength(1)
  })

  test('is reached over TLS in production, unless the configuration declares a private network', () => {
    const plain = { ...productionVariables, ...bucket, S3_ENDPOINT: 'http://minio.internal:9000' }
    expect(getProblems(plain)).toEqual([expect.stringContaining('S3_ENDPOINT: must begin with https://')])
    expect(getProblems({ ...plain, S3_TLS: 'off' })).toEqual([])
    expect(getProblems({ ...plain, S3_ENDPOINT: 'http://127.0.0.1:9000' })).toEqual([])
  })
})
