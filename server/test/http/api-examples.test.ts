/** Runs the examples of `docs/api.md`, so that they stay correct. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { webhookBody } from '@waybill/contract/integrations/webhooks'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { signDelivery } from '../../src/domains/integrations/webhooks/signing.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { createApiKey, everyScope } from '../testing/factories/api-keys.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { fundWallet } from '../testing/factories/wallet.ts'

const page = join(import.meta.dirname, '../../../docs/api.md')

type Block = { kind: string; text: string }

/** The code blocks of a page, in order. */
const readBlocks = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```/gm)].map(([, kind = '', text = '']) => ({ kind, text }))

type Values = Map<string, unknown>

/** Replaces `$NAME` by known values; numbers lose their quotes. */
function fill(text: string, values: Values): string {
  return text.replace(/("?)\$([A-Z]+)("?)/g, (_, open: string, name: string, close: string) => {
    if (!values.has(name)) throw new Error(`the page uses $${name} before any answer has it`)
    const value = values.get(name)
    return typeof value === 'string' ? `${open}${value}${close}` : String(value)
  })
}

/** Checks that a response has every field of the example, and stores the values of `$NAME`. */
function compare(documented: unknown, real: unknown, values: Values, path: string): void {
  if (typeof documented === 'string' && /^\$[A-Z]+$/.test(documented)) {
    const name = documented.slice(1)
    expect(real, path).toBeTruthy()
    if (values.has(name)) expect(real, path).toBe(values.get(name))
    values.set(name, real)
  } else if (Array.isArray(documented)) {
    expect(Array.isArray(real), path).toBe(true)
    for (const [n, each] of documented.entries()) compare(each, (real as unknown[])[n], values, `${path}.${n}`)
  } else if (typeof documented === 'object' && documented !== null) {
    for (const [key, each] of Object.entries(documented)) {
      expect(real, path).toHaveProperty(key)
      compare(each, (real as Record<string, unknown>)[key], values, `${path}.${key}`)
    }
    // Amounts depend on the rate card.
  } else if (typeof documented === 'number') expect(typeof real, path).toBe('number')
  else expect(real, path).toBe(documented)
}

describe('the examples of docs/api.md', () => {
  let test: TestApp
  let blocks: Block[]
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    blocks = readBlocks(await readFile(page, 'utf8'))
  })

  it('work in their order and return the documented fields', async () => {
    const owner = await createCustomer(test)
    await fundWallet(test, owner)
    const { secret } = await createApiKey(test, owner, everyScope)
    const values: Values = new Map([['KEY', secret]])
    const calls: string[] = []
    for (const [n, { kind, text }] of blocks.entries()) {
      if (kind !== 'http') continue
      const [head = '', payload] = fill(text, values).trim().split('\n\n')
      const [start = '', ...lines] = head.split('\n')
      const [method, url = ''] = start.split(' ')
      const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
      const answer = await test.app.inject({
        method: method as 'GET' | 'POST',
        url,
        headers,
        ...(payload === undefined ? {} : { payload }),
      })
      calls.push(`${method} ${text.split('\n')[0]?.split(' ')[1]?.split('?')[0]}`)
      expect(answer.statusCode, `${start}: ${answer.body}`).toBe(200)
      const next = blocks[n + 1]
      if (next?.kind === 'json') compare(JSON.parse(next.text), answer.json(), values, start)
      else if (url.includes('generate-cn')) expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    }
    // The calls that a shop needs. The page must have all of them.
    expect(calls).toEqual([
      'GET /api/customer/parcels',
      'POST /api/customer/prices/services',
      'POST /api/customer/parcels',
      'POST /api/customer/prices/summary',
      'POST /api/customer/orders',
      'POST /api/customer/payments/express_credit/$ORDER',
      'GET /api/customer/parcels/$PARCEL',
      'GET /api/customer/parcels/generate-cn',
      'POST /api/customer/parcels/tracks',
    ])
  })

  it('show a webhook delivery with its real fields', () => {
    const block = blocks.find(({ kind }) => kind === 'json webhook')
    expect(webhookBody.safeParse(JSON.parse(block?.text ?? '')).success).toBe(true)
  })

  describe('the verification of a webhook signature', () => {
    const body = '{"event":"parcel.delivered","name":"陈美玲"}'
    const at = new Date()
    const signature = signDelivery(['whsec_present'], at, body)
    const rotatedSignature = signDelivery(['whsec_next', 'whsec_present'], at, body)
    const late = signDelivery(['whsec_present'], new Date(at.getTime() - 301_000), body)
    const cases: readonly (readonly [header: string, body: string, genuine: boolean])[] = [
      [signature, body, true],
      [rotatedSignature, body, true],
      [signature, `${body} `, false],
      [signDelivery(['whsec_other'], at, body), body, false],
      [late, body, false],
      [signature.replace(/t=\d+/, `t=${Math.floor(at.getTime() / 1000) + 1}`), body, false],
      ['', body, false],
      ['t=1,v1=zz', body, false],
    ]
    const expected = cases.map(([, , genuine]) => genuine)

    it('works in Node.js', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'waybill-example-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const file = join(folder, 'verify.mjs')
      await writeFile(file, blocks.find(({ kind }) => kind === 'js')?.text ?? '')
      const { isFromWaybill } = await import(/* @vite-ignore */ pathToFileURL(file).href)
      const verdicts = cases.map(([header, text]) => isFromWaybill('whsec_present', header, Buffer.from(text)))
      expect(verdicts).toEqual(expected)
    })

    // A machine without Python verifies only the example in Node.js, which has the same cases.
    it.runIf(spawnSync('python3', ['--version']).status === 0)('works in Python', () => {
      const code = blocks.find(({ kind }) => kind === 'python')?.text ?? ''
      const calls = JSON.stringify(cases.map(([header, text]) => [header, text]))
      const program = `${code}
import json, sys
print(json.dumps([is_from_waybill("whsec_present", h, b.encode()) for h, b in json.load(sys.stdin)]))`
      const run = spawnSync('python3', ['-c', program], { input: calls, encoding: 'utf8' })
      expect(run.error ?? run.stderr).toBe('')
      expect(JSON.parse(run.stdout)).toEqual(expected)
    })
  })
})
