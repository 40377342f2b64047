import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { addWidget, getDashboard, removeWidget, updateWidget } from '@waybill/contract/dashboard/dashboard'
import { type Widget, type WidgetKind, widgetKindLabels } from '@waybill/contract/dashboard/widgets'
import { useRef, useState } from 'react'
import { notify } from '../../components/feedback/notify.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons, LineList, Panel } from '../../components/layout/boxes.tsx'
import { Note } from '../../components/layout/text.tsx'
import { ApiError, call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { sendInOrder } from '../../lib/send-queue/send-in-order.ts'
import { ArrangedRow } from './arranged-row.tsx'
import { moveTo } from './move.ts'

type Props = { widgets: readonly Widget[]; available: readonly WidgetKind[] }

/** Screen reader announcements while a widget is dragged. */
function useAnnouncements(ids: readonly string[], getName: (id: UniqueIdentifier) => string): Announcements {
  const t = useT()
  const say = (key: 'lifted' | 'moved' | 'dropped' | 'back', id: UniqueIdentifier, at: UniqueIdentifier = id) =>
    t(`dashboardPage.arrange.${key}`, { name: getName(id), order: ids.indexOf(String(at)) + 1, count: ids.length })
  return {
    onDragStart: ({ active }) => say('lifted', active.id),
    onDragOver: ({ active, over }) => (over ? say('moved', active.id, over.id) : undefined),
    onDragEnd: ({ active, over }) => say('dropped', active.id, over?.id),
    onDragCancel: ({ active }) => say('back', active.id),
  }
}

/**
 * Arranges the widgets of the home page: by dragging, with the keyboard, or with the arrows of each row. Every change
 * is stored at once and shown on the page below.
 */
export function ArrangePanel({ widgets, available }: Props) {
  const t = useT()
  const label = useLabel()
  // The new order while its request is pending: a dropped widget must not jump back meanwhile.
  const [sending, setSending] = useState<readonly Widget[] | null>(null)
  const [spoken, setSpoken] = useState('')
  const arrangement = sending ?? widgets
  const ids = arrangement.map(({ id }) => id)
  const getName = (id: UniqueIdentifier) => {
    const widget = arrangement.find((each) => each.id === id)
    return widget ? label(widgetKindLabels, widget.kind) : ''
  }
  const refresh = [getDashboard]
  const options = {
    refresh,
    refreshOnError: refresh,
    onError: (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'version_conflict') return false
      notify.warning(t('dashboardPage.arrange.conflict'))
      return true
    },
  }
  // The next change may be sent before the screen shows the version after the one before. Each change adds 1 to it.
  const version = useRef(0)
  version.current = Math.max(version.current, ...widgets.map((widget) => widget.version))
  const change = useSend(async (send: () => Promise<unknown>) => {
    await send()
    version.current += 1
  }, options)
  const [inOrder] = useState(sendInOrder<boolean>)
  const announcements = useAnnouncements(ids, getName)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )

  /** `order` counts from 1. */
  const move = async (widget: Widget, order: number, size = widget.size) => {
    const next = moveTo(arrangement, widget.id, order).map((each) => (each.id === widget.id ? { ...each, size } : each))
    setSending(next)
    const isMoved = await inOrder(`${widget.id} ${order} ${size}`, () =>
      change.send(() =>
        call(updateWidget, { params: { id: widget.id }, body: { order, size, version: version.current } }),
      ),
    )
    setSending((present) => (present === next ? null : present))
    if (!isMoved) return
    setSpoken(t('dashboardPage.arrange.moved', { name: getName(widget.id), order, count: next.length }))
  }
  const drop = ({ active, over }: DragEndEvent) => {
    const widget = arrangement.find(({ id }) => id === active.id)
    if (widget && over && over.id !== active.id) void move(widget, ids.indexOf(String(over.id)) + 1)
  }
  const drops = async ({ id, kind }: Widget) => {
    const isRemoved = await inOrder(id, () => change.send(() => call(removeWidget, { params: { id } })))
    if (isRemoved) setSpoken(t('dashboardPage.arrange.removed', { name: label(widgetKindLabels, kind) }))
  }
  const adds = async (kind: WidgetKind) => {
    const isAdded = await inOrder(kind, () => change.send(() => call(addWidget, { body: { kind } })))
    if (isAdded) setSpoken(t('dashboardPage.arrange.added', { name: label(widgetKindLabels, kind) }))
  }
  return (
    <Panel title={t('dashboardPage.arrange.title')} style={{ marginBlockEnd: 24 }}>
      <Note>{t('dashboardPage.arrange.help')}</Note>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={drop}
        accessibility={{
          announcements,
          screenReaderInstructions: { draggable: t('dashboardPage.arrange.instructions') },
        }}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <LineList aria-label={t('dashboardPage.arrange.title')}>
            {arrangement.map((widget, index) => (
              <ArrangedRow
                key={widget.id}
                widget={widget}
                place={{ order: index + 1, count: arrangement.length }}
                onMove={(order) => void move(widget, order)}
                onResize={(size) => void move(widget, index + 1, size)}
                onRemove={() => void drops(widget)}
              />
            ))}
          </LineList>
        </SortableContext>
      </DndContext>
      <h3>{t('dashboardPage.arrange.add')}</h3>
      {available.length === 0 ? (
        <Note>{t('dashboardPage.arrange.all')}</Note>
      ) : (
        <Buttons>
          {available.map((kind) => (
            <Button
              key={kind}
              leftSection={<IconPlus size={16} aria-hidden />}
              aria-label={t('dashboardPage.arrange.addOne', { name: label(widgetKindLabels, kind) })}
              onClick={() => void adds(kind)}
            >
              {label(widgetKindLabels, kind)}
            </Button>
          ))}
        </Buttons>
      )}
      <p className="wb-hidden" role="status">
        {spoken}
      </p>
    </Panel>
  )
}
