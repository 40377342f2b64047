// Watches which entries of the activity log each call writes, in all test files.
import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'

type Message = { request: FastifyRequest; reply: FastifyReply }

/** The actions that the current request has written to the activity log. */
const actionsOfCall = new AsyncLocalStorage<string[]>()
const byMessage = new WeakMap<object, string[]>()
/** Successful calls since the last report: `<endpoint id> <action>`, without an action if none was written. */
const calls = new Set<string>()

const texts = JSON.parse(readFileSync(join(import.meta.dirname, '../../../web/public/locales/en/global.json'), 'utf8'))

/** Whether a parameter of an insert is an action that has a text. */
function isAction(value: unknown): value is string {
  const [group = '', verb = ''] = typeof value === 'string' ? value.split('.') : []
  return Object.hasOwn(texts.action, group) && Object.hasOwn(texts.action[group], verb)
}

/** The actions in the parameters of an insert: each is one, or is the JSON of rows with one. */
function findActions(parameters: readonly unknown[]): string[] {
  return parameters.flatMap((value) => {
    if (isAction(value)) return value
    if (typeof value !== 'string' || !value.startsWith('[{')) return []
    return (JSON.parse(value) as { action?: unknown }[]).map(({ action }) => action).filter(isAction)
  })
}

const channels = tracingChannel('fastify.request.handler')
channels.start.bindStore(actionsOfCall, (message) => {
  const actions: string[] = []
  byMessage.set(message as object, actions)
  return actions
})
channels.asyncEnd.subscribe((message) => {
  const { request, reply } = message as Message
  const { endpoint } = request.routeOptions.config as { endpoint?: EndpointShape }
  if (!endpoint || endpoint.method === 'GET' || reply.statusCode >= 300) return
  const actions = byMessage.get(message as object) ?? []
  if (actions.length === 0) calls.add(endpoint.id)
  for (const action of actions) calls.add(`${endpoint.id} ${action}`)
})

const { query } = pg.Client.prototype
pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
  const [config, values] = args as [string | { text?: string; values?: unknown[] }, unknown]
  const text = typeof config === 'string' ? config : config?.text
  if (text?.includes('insert into "activity_log"') || text?.includes('insert into activity_log')) {
    const parameters = Array.isArray(values) ? values : typeof config === 'object' ? (config.values ?? []) : []
    actionsOfCall.getStore()?.push(...findActions(parameters))
  }
  return Reflect.apply(query, this, args)
} as typeof query

/** Appends the calls to the file of the test run. */
export function reportCalls(): void {
  const file = process.env.WATCHED_CALLS
  if (file && calls.size > 0) appendFileSync(file, `${[...calls].join('\n')}\n`)
  calls.clear()
}
