import { getDashboard } from '@waybill/contract/dashboard/dashboard'
import type { Widget, WidgetData, WidgetKind } from '@waybill/contract/dashboard/widgets'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { TestApp } from '../testing/app.ts'

type Dashboard = ResponseOf<typeof getDashboard>

/** The home page of a user. */
export async function readHome(test: TestApp, token: string, language?: string): Promise<Dashboard> {
  const { status, body } = await test.call(getDashboard, { token, ...(language ? { language } : {}) })
  if (status !== 200) throw new Error(`no dashboard: ${status}`)
  return body
}

export const listKinds = ({ widgets }: Dashboard) => widgets.map(({ kind }) => kind)

export function findWidget(home: Dashboard, kind: WidgetKind): Widget {
  const widget = home.widgets.find((each) => each.kind === kind)
  if (!widget) throw new Error(`no widget ${kind}`)
  return widget
}

/** The figures of a widget on the page. */
export function readData<K extends WidgetKind>(home: Dashboard, kind: K): WidgetData[K] {
  const widget = home.widgets.find((each): each is Extract<Widget, { kind: K }> => each.kind === kind)
  if (!widget) throw new Error(`no widget ${kind}`)
  return widget.data as WidgetData[K]
}
