import type { Schema } from '@waybill/contract/ground/endpoint'

type Step<T, K extends string> = K extends keyof T ? T[K] : T extends readonly (infer I)[] ? I : never

/** Dotted paths into a form's values, three levels deep: `sender.postcode`, `items.0.quantity`. */
export type Path<T> = T extends readonly (infer I)[]
  ? `${number}` | `${number}.${Keys<I>}`
  :
      | Keys<T>
      | {
          [K in Keys<T>]: NonNullable<Step<T, K>> extends object ? `${K}.${Deeper<NonNullable<Step<T, K>>>}` : never
        }[Keys<T>]
type Keys<T> = T extends object ? Extract<keyof T, string> : never
type Deeper<T> = T extends readonly (infer I)[] ? `${number}` | `${number}.${Keys<I>}` : Keys<T>

/** The type of the value at a path. */
export type ValueAt<T, P extends string> = P extends `${infer K}.${infer Rest}`
  ? ValueAt<NonNullable<Step<NonNullable<T>, K>>, Rest>
  : Step<NonNullable<T>, P>

export function valueAt<T extends object, P extends string>(values: T, path: P): ValueAt<T, P> {
  let value: unknown = values
  for (const part of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part]
  return value as ValueAt<T, P>
}

/** A copy with another value at the path; unchanged branches are shared with the original. */
export function withValue<T extends object>(values: T, path: string, value: unknown): T {
  const [part = '', ...rest] = path.split('.')
  const inner = (values as Record<string, unknown>)[part]
  const newValue = rest.length === 0 ? value : withValue((inner ?? {}) as object, rest.join('.'), value)
  if (Array.isArray(values)) return values.map((item, index) => (String(index) === part ? newValue : item)) as T
  return { ...values, [part]: newValue }
}

type Def = { type: string; shape?: Record<string, Schema>; innerType?: Schema; in?: Schema; element?: Schema }
const mayMiss = new Set(['optional', 'nullable', 'default', 'prefault'])

/** Whether the schema requires a value at the path; the label then has an asterisk. */
export function isRequired(schema: Schema, path: string): boolean {
  let present: Schema | undefined = schema
  for (const part of path.split('.')) {
    const { def } = unwrap(present)
    present = def?.shape ? def.shape[part] : def?.element
  }
  return present !== undefined && !unwrap(present).optional
}

function unwrap(schema: Schema | undefined): { def: Def | undefined; optional: boolean } {
  let optional = false
  let def = schema?._zod.def as Def | undefined
  while (def) {
    if (mayMiss.has(def.type)) optional = true
    const inner: Schema | undefined = def.innerType ?? def.in
    if (!inner) break
    def = inner._zod.def as Def
  }
  return { def, optional }
}
