import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { TimeField } from '../../../components/fields/date-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { FieldRow } from '../../../components/layout/boxes.tsx'
import { Fieldset } from '../../../components/layout/fold.tsx'
import { ErrorText, Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { emptyRange, type StationValues } from './station-values.ts'

/** The ranges of postcodes that the station's riders serve. */
export function CoverageRows({ form }: { form: ContractForm<StationValues> }) {
  const t = useT()
  const { coverage } = form.values
  return (
    <Fieldset legend={t('fields.coverage')}>
      <Note>{t('stationsAdmin.coverageHelp')}</Note>
      {coverage.map((range, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no key except their position
        <FieldRow min={110} key={`${n} of ${coverage.length}`}>
          <TextField field={form.field(`coverage.${n}.postcodeFrom`)} autoComplete="off" inputMode="numeric" />
          <TextField field={form.field(`coverage.${n}.postcodeTo`)} autoComplete="off" inputMode="numeric" />
          <TimeField field={form.field(`coverage.${n}.cutOffTime`)} />
          <Button
            leftSection={<IconTrash size={16} aria-hidden />}
            aria-label={t('phrase.labelled', { label: t('actions.remove'), value: range.postcodeFrom || n + 1 })}
            onClick={() =>
              form.set(
                'coverage',
                coverage.filter((_, index) => index !== n),
              )
            }
          >
            {t('actions.remove')}
          </Button>
        </FieldRow>
      ))}
      {form.field('coverage').error && <ErrorText>{form.field('coverage').error}</ErrorText>}
      <div>
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => form.set('coverage', [...coverage, emptyRange])}
        >
          {t('stationsAdmin.addRange')}
        </Button>
      </div>
    </Fieldset>
  )
}
