import { Checkbox } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useWide } from '../../lib/browser/use-media.ts'
import { lastingUserStorage } from '../../lib/browser/user-storage.ts'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../buttons/plain-button.tsx'
import { Stack } from '../layout/boxes.tsx'
import { Note } from '../layout/text.tsx'
import { type Column, isTitle } from './column.ts'
import classes from './data-list.module.css'
import { rowKeys } from './use-row-keys.ts'

type Choices = Readonly<Record<string, boolean>>

function readChoices(name: string): Choices {
  try {
    const choices: unknown = JSON.parse(lastingUserStorage.get(name) ?? '{}')
    return typeof choices === 'object' && choices !== null ? (choices as Choices) : {}
  } catch {
    return {}
  }
}

/** The columns that the user selected for a list. The selection is stored for the user in this browser. */
export function useColumns<R>(listId: string, columns: readonly Column<R>[]) {
  const name = `columns:${listId}`
  const [choices, setChoices] = useState<Choices>(() => readChoices(name))
  const hidden = useWide() ? ['chosen'] : ['chosen', 'wide']
  const isShown = (column: Column<R>) =>
    isTitle(column) || column.kind === 'actions' || (choices[column.id] ?? !hidden.includes(column.show ?? ''))
  return {
    visible: columns.filter(isShown),
    options: columns
      .filter((column) => !isTitle(column) && column.kind !== 'actions')
      .map((column) => ({ id: column.id, label: column.header, shown: isShown(column) })),
    choose(id: string, isVisible: boolean) {
      const next = { ...choices, [id]: isVisible }
      setChoices(next)
      lastingUserStorage.set(name, JSON.stringify(next))
    },
  }
}

type Props = Omit<ReturnType<typeof useColumns>, 'visible'> & { prints: boolean }

/** The button at the corner of a table: its columns and keys. A native popover, which Escape closes. */
export function ColumnsMenu({ options, choose, prints }: Props) {
  const t = useT()
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [keys, setKeys] = useState(rowKeys.on)
  return (
    <div className={classes.columns}>
      <IconButton
        popoverTarget={id}
        aria-label={t('list.columns')}
        title={t('list.columns')}
        onClick={({ currentTarget }) => {
          // A popover in the top layer is not positioned relative to its button.
          const { bottom, right } = currentTarget.getBoundingClientRect()
          panel.current?.style.setProperty('inset-block-start', `${bottom + scrollY + 4}px`)
          panel.current?.style.setProperty('inset-inline-end', `${document.documentElement.clientWidth - right}px`)
        }}
      >
        <IconColumns3 size={18} aria-hidden />
      </IconButton>
      <div ref={panel} id={id} popover="auto" className={classes.columnsPanel}>
        <Stack gap={12}>
          <fieldset className={classes.choices}>
            <legend>{t('list.columns')}</legend>
            {options.map((option) => (
              <Checkbox
                key={option.id}
                label={option.label}
                checked={option.shown}
                onChange={({ currentTarget }) => choose(option.id, currentTarget.checked)}
              />
            ))}
          </fieldset>
          <Checkbox
            label={t('list.keys')}
            checked={keys}
            onChange={({ currentTarget }) => {
              rowKeys.set(currentTarget.checked)
              setKeys(currentTarget.checked)
            }}
          />
          <Note>{t(prints ? 'list.keysPrint' : 'list.keysText')}</Note>
        </Stack>
      </div>
    </div>
  )
}
