import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { MoneyField } from '../../components/fields/measure-field.tsx'
import type { ContractForm } from '../../components/form/contract-form.ts'
import { FieldRow } from '../../components/layout/boxes.tsx'
import { Fieldset } from '../../components/layout/fold.tsx'
import { ErrorText, Note } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { bindField, setValue } from './bind.ts'
import { readValue, type SectionValues } from './form-values.ts'
import classes from './settings.module.css'
import { useSettingWords } from './shared/words.ts'

type Props = { form: ContractForm<SectionValues>; path: string; help: string | undefined }

/** Rows of two amounts: a limit and its price. */
export function MoneyRows({ form, path, help, columns }: Props & { columns: readonly [string, string] }) {
  const rows = readValue(form.values, path) as readonly Record<string, number | null>[]
  return (
    <Rows
      form={form}
      path={path}
      help={help}
      empty={Object.fromEntries(columns.map((name) => [name, null]))}
      rows={rows}
      columns={columns.length}
    >
      {(n) =>
        columns.map((name) => <MoneyField key={name} field={bindField<number | null>(form, `${path}.${n}.${name}`)} />)
      }
    </Rows>
  )
}

/** Amounts, one per row. */
export function PresetRows({ form, path, help }: Props) {
  const format = useFormat()
  const t = useT()
  const rows = readValue(form.values, path) as readonly (number | null)[]
  return (
    <Rows form={form} path={path} help={help} empty={null} rows={rows}>
      {(n) => (
        <MoneyField
          field={bindField<number | null>(
            form,
            `${path}.${n}`,
            t('settingLabel.amountNumber', { number: format.number(n + 1) }),
          )}
        />
      )}
    </Rows>
  )
}

type RowsProps = Props & {
  rows: readonly unknown[]
  columns?: number
  empty: unknown
  children: (n: number) => ReactNode
}

function Rows({ form, path, help, rows, columns = 1, empty, children }: RowsProps) {
  const t = useT()
  const format = useFormat()
  const { getName } = useSettingWords()
  // Rows have no id, so removing one gives new keys to the following rows.
  const removals = useRef(0)
  const update = (next: readonly unknown[]) => setValue(form, path, next)
  const error = bindField(form, path).error
  return (
    <Fieldset data-wide legend={getName(path)}>
      {help && <Note>{help}</Note>}
      {rows.map((_, n) => (
        <FieldRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no key except their position
          key={`${removals.current} ${n}`}
          className={columns > 1 ? classes.amounts : undefined}
          style={{ maxWidth: 560 }}
        >
          {children(n)}
          <Button
            leftSection={<IconTrash size={16} aria-hidden />}
            aria-label={t('settingsPage.removeRow', { number: format.number(n + 1) })}
            onClick={() => {
              removals.current += 1
              update(rows.filter((_row, index) => index !== n))
            }}
          >
            {t('actions.remove')}
          </Button>
        </FieldRow>
      ))}
      {error && <ErrorText>{error}</ErrorText>}
      <div>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => update([...rows, empty])}>
          {t('settingsPage.addRow')}
        </Button>
      </div>
    </Fieldset>
  )
}
