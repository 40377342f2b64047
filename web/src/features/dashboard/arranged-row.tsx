import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { NativeSelect } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react'
import { type Widget, type WidgetSize, widgetKindLabels, widgetSizeLabels } from '@waybill/contract/dashboard/widgets'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { useLayoutEffect, useRef } from 'react'
import { IconButton } from '../../components/buttons/plain-button.tsx'
import { Row } from '../../components/layout/boxes.tsx'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import classes from './dashboard.module.css'

type Props = {
  widget: Widget
  place: { order: number; count: number }
  onMove: (order: number) => void
  onResize: (size: WidgetSize) => void
  onRemove: () => void
}

/** A widget in the list for arranging: its handle, arrows, width, and remove button. */
export function ArrangedRow({ widget, place: { order, count }, onMove, onResize, onRemove }: Props) {
  const t = useT()
  const label = useLabel()
  const name = label(widgetKindLabels, widget.kind)
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: widget.id,
  })
  // A row that moves leaves the document for a moment, and its button loses the focus.
  const pressed = useRef<HTMLButtonElement | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the position of the row has changed
  useLayoutEffect(() => {
    pressed.current?.focus()
    pressed.current = null
  }, [order])
  const arrow = (direction: 'up' | 'down', Icon: typeof IconArrowUp) => {
    const to = direction === 'up' ? order - 1 : order + 1
    const possible = to >= 1 && to <= count
    return (
      <IconButton
        aria-label={t(`dashboardPage.arrange.${direction}`, { name })}
        // Not `disabled`: at the end of the list the focus would be lost.
        aria-disabled={!possible}
        className={classes.control}
        onClick={(event) => {
          if (!possible) return
          pressed.current = event.currentTarget
          onMove(to)
        }}
      >
        <Icon size={18} aria-hidden />
      </IconButton>
    )
  }
  return (
    <li
      ref={setNodeRef}
      className={classes.arranged}
      data-dragging={isDragging}
      data-kind={widget.kind}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <Row gap={8}>
        <IconButton
          {...listeners}
          ref={setActivatorNodeRef}
          aria-label={t('dashboardPage.arrange.handle', { name })}
          aria-describedby={attributes['aria-describedby']}
          className={`${classes.control} ${classes.handle}`}
        >
          <IconGripVertical size={18} aria-hidden />
        </IconButton>
        <span>{name}</span>
      </Row>
      <Row gap={4}>
        <NativeSelect
          aria-label={t('dashboardPage.arrange.size', { name })}
          value={widget.size}
          onChange={(event) => onResize(event.currentTarget.value as WidgetSize)}
          data={labelValues(widgetSizeLabels).map((size) => ({ value: size, label: label(widgetSizeLabels, size) }))}
        />
        {arrow('up', IconArrowUp)}
        {arrow('down', IconArrowDown)}
        <IconButton
          aria-label={t('dashboardPage.arrange.remove', { name })}
          className={classes.control}
          onClick={onRemove}
        >
          <IconTrash size={18} aria-hidden />
        </IconButton>
      </Row>
    </li>
  )
}
