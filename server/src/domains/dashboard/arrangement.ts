/** Each user's widgets on the home page: read, and changed one widget at a time. */
import type { addWidget, updateWidget } from '@waybill/contract/dashboard/dashboard'
import type { WidgetKind } from '@waybill/contract/dashboard/widgets'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { type DbOrTx, StaleRead, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { derivedId } from '../../lib/ids.ts'
import { findArrangement, saveArrangement } from './queries.ts'
import { defaultKinds, defaultSizes, mayHave, placeWidget, type WidgetPlacement } from './rules.ts'

/** A user's widgets: those that the user may see, in their order, and those whose right is currently missing. */
export type OwnWidgets = { version: number; isNew: boolean; visible: WidgetPlacement[]; hidden: WidgetPlacement[] }

/** A widget of a user always has the same id, before and after it is stored. */
const newWidget = (caller: CustomerCaller, kind: WidgetKind): WidgetPlacement => ({
  id: derivedId(`dashboard ${caller.userId} ${kind}`),
  kind,
  size: defaultSizes[kind],
})

/** The widgets of the caller. Without a stored arrangement the default, as version 1. */
export async function readOwnWidgets(db: DbOrTx, caller: CustomerCaller): Promise<OwnWidgets> {
  const arrangement = await findArrangement(db, caller.userId)
  const widgets = arrangement?.widgets ?? defaultKinds(caller).map((kind) => newWidget(caller, kind))
  const permitted = Map.groupBy(widgets, ({ kind }) => mayHave(caller, kind))
  return {
    version: arrangement?.version ?? 1,
    isNew: arrangement === undefined,
    visible: permitted.get(true) ?? [],
    hidden: permitted.get(false) ?? [],
  }
}

type Change = (own: OwnWidgets) => WidgetPlacement[]

/** Changes the caller's arrangement; nothing is stored if `change` throws. */
async function changeWidgets(deps: Deps, caller: CustomerCaller, change: Change): Promise<void> {
  await tx(deps.db, async (trx) => {
    const own = await readOwnWidgets(trx, caller)
    const widgets = change(own)
    // The default counts as version 1, so the first stored version is 2.
    const saved = await saveArrangement(
      trx,
      caller,
      { version: own.version, widgets },
      { isNew: own.isNew, at: deps.clock.now() },
    )
    if (!saved) throw new StaleRead()
  })
}

/**
 * Adds a widget and returns its id. Throws forbidden without the right to its figures, and widget_exists if it is
 * there already.
 */
export async function addOwnWidget(
  deps: Deps,
  caller: CustomerCaller,
  { kind, size = defaultSizes[kind], order }: BodyOf<typeof addWidget>,
): Promise<string> {
  if (!mayHave(caller, kind)) throw new AppError('forbidden')
  const added = { ...newWidget(caller, kind), size }
  await changeWidgets(deps, caller, ({ visible, hidden }) => {
    if (visible.some((widget) => widget.kind === kind)) throw new AppError('widget_exists')
    return placeWidget(visible, hidden, added, order ?? visible.length + 1)
  })
  return added.id
}

/** Moves a widget or changes its size. Throws not_found and version_conflict. */
export async function changeOwnWidget(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { order, size, version }: BodyOf<typeof updateWidget>,
): Promise<void> {
  await changeWidgets(deps, caller, (own) => {
    const widget = own.visible.find((each) => each.id === id)
    if (!widget) throw new AppError('not_found')
    if (own.version !== version) throw new AppError('version_conflict')
    return placeWidget(own.visible, own.hidden, { ...widget, size }, order)
  })
}

/** Removes a widget. Throws not_found. */
export async function removeOwnWidget(deps: Deps, caller: CustomerCaller, id: string): Promise<void> {
  await changeWidgets(deps, caller, ({ visible, hidden }) => {
    if (!visible.some((each) => each.id === id)) throw new AppError('not_found')
    return [...visible.filter((each) => each.id !== id), ...hidden]
  })
}
