import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { customsReasonLabels } from '@waybill/contract/ground/enums/enums'
import { MoneyField, WeightField } from '../../../components/fields/measure-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import type { ContractForm, FieldBinding } from '../../../components/form/contract-form.ts'
import { CardList, Grid, Row } from '../../../components/layout/boxes.tsx'
import { ErrorText, Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices } from '../../../lib/labels.ts'
import { CountryField } from '../../addresses/shared/country-field.tsx'
import { customsValue, emptyCustomsItem, type ParcelValues } from '../new-parcel/parcel-values.ts'
import classes from './customs-items.module.css'

const most = 20

/**
 * The customs declaration: the reason of the shipment, and each kind of item with its value. Imported on demand for
 * international parcels.
 */
export default function CustomsItems({ form }: { form: ContractForm<ParcelValues> }) {
  const t = useT()
  const format = useFormat()
  const choices = useChoices()
  const { customs } = form.values
  const at = <V,>(path: string): FieldBinding<V> => form.fieldAt(`customs.${path}`)
  const setItems = (items: ParcelValues['customs']['items']) => form.patch({ customs: { ...customs, items } })
  const listError = at<unknown>('items').error
  return (
    <fieldset className={classes.customs}>
      <legend>{t('fields.customs')}</legend>
      <Note>{t('customsForm.help')}</Note>
      <Grid min={220}>
        <SelectField
          field={{ ...at<string | null>('reason'), required: true }}
          choices={choices(customsReasonLabels)}
        />
        {customs.reason === 'other' && <TextField field={{ ...at<string | null>('reasonText'), required: true }} />}
      </Grid>
      <CardList as="ol" gap={16}>
        {customs.items.map((item, index) => (
          <li key={item.key}>
            <Row justify="between" style={{ marginBlockEnd: 8 }}>
              <span>{t('customsForm.item', { number: index + 1 })}</span>
              {customs.items.length > 1 && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  aria-label={t('phrase.labelled', {
                    label: t('actions.remove'),
                    value: t('customsForm.item', { number: index + 1 }),
                  })}
                  onClick={() => setItems(customs.items.filter(({ key }) => key !== item.key))}
                >
                  {t('actions.remove')}
                </Button>
              )}
            </Row>
            <Grid min={140}>
              <TextField
                field={at<string>(`items.${index}.description`)}
                placeholder={t('customsForm.descriptionExample')}
                autoComplete="off"
              />
              <TextField
                field={{ ...at<string | null>(`items.${index}.hsCode`), required: customs.reason === 'sale' }}
                placeholder="6109.10"
                inputMode="numeric"
                autoComplete="off"
              />
              <Quantity field={at<number | null>(`items.${index}.quantity`)} />
              <MoneyField field={at<number | null>(`items.${index}.unitValueMinor`)} />
              <WeightField field={at<number | null>(`items.${index}.netWeightGrams`)} />
              <CountryField field={at<string>(`items.${index}.originCountry`)} />
            </Grid>
          </li>
        ))}
      </CardList>
      {listError && <ErrorText role="alert">{listError}</ErrorText>}
      <Row justify="between">
        {customs.items.length < most && (
          <Button
            size="compact-sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setItems([...customs.items, emptyCustomsItem(form.values.sender.country)])}
          >
            {t('customsForm.add')}
          </Button>
        )}
        <p>
          {t('fields.declaredValueMinor')} <strong>{format.money(customsValue(customs) ?? 0)}</strong>
        </p>
      </Row>
      <details>
        <summary>{t('customsForm.papers')}</summary>
        <Grid min={220}>
          <TextField field={at<string | null>('invoiceNumber')} autoComplete="off" />
          <TextField field={at<string | null>('licenceNumber')} autoComplete="off" />
          <TextField field={at<string | null>('certificateNumber')} autoComplete="off" />
          <TextField field={at<string | null>('comments')} autoComplete="off" />
        </Grid>
      </details>
    </fieldset>
  )
}

/** A whole number; anything else becomes NaN, which the schema refuses. */
function Quantity({ field }: { field: FieldBinding<number | null> }) {
  const text: FieldBinding<string> = {
    ...field,
    value: field.value === null || Number.isNaN(field.value) ? '' : String(field.value),
    onChange: (input) =>
      field.onChange(input.trim() === '' ? null : /^\d{1,6}$/.test(input.trim()) ? Number(input) : Number.NaN),
  }
  return <TextField field={text} inputMode="numeric" autoComplete="off" />
}
