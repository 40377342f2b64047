import { Button } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import type { ContentType } from '@waybill/contract/ground/enums/enums'
import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import { lazy, useRef, useState } from 'react'
import { LazyPart } from '../../../components/feedback/lazy-part.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { LengthField, MoneyField, WeightField } from '../../../components/fields/measure-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Grid, Stack } from '../../../components/layout/boxes.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useContentTypes, useMaxInsured } from '../../../lib/labels.ts'
import { completeSize } from '../quotes/use-quotes.ts'
import { WeightExplainer } from '../quotes/weight-explainer.tsx'
import { cartons } from '../shared/cartons.ts'
import { BoxDrawing } from './box-drawing.tsx'
import { isAbroad, needsCustoms, type ParcelValues } from './parcel-values.ts'

const CustomsItems = lazy(() => import('../customs/customs-items.tsx'))
const ParcelPhotos = lazy(() => import('../parcel-photos.tsx'))

const documentGrams = 250

type Props = {
  form: ContractForm<ParcelValues>
  quote: ServiceQuote | null
  /** The quote belongs to an earlier input. */
  stale: boolean
  /** Without an account there is no insurance, cash on delivery or photo. */
  hasAccount?: boolean
}

/** Content, weight and size. */
export function WhatStep({ form, quote, stale, hasAccount = true }: Props) {
  const t = useT()
  const format = useFormat()
  const maxInsured = useMaxInsured()
  const contentTypes = useContentTypes(form.values.contentType)
  const carriesDocuments = contentTypes.some(({ value }) => value === 'document')
  const { values } = form
  const size = completeSize(values.dimensions)
  const abroad = isAbroad(values)
  const declares = needsCustoms(values)
  const matching = (Object.keys(cartons) as (keyof typeof cartons)[]).find(
    (name) => size && JSON.stringify(cartons[name]) === JSON.stringify(size),
  )
  // The user can adjust the size of a preset carton.
  const [own, setOwn] = useState(size !== null && matching === undefined)
  const preset = values.isDocument ? 'document' : own ? 'own' : (matching ?? null)

  // Arrow keys pass through the document option, so the previous values of the parcel are restored.
  const before = useRef<ContentType | null>(null)

  function choose(name: string) {
    setOwn(name === 'own')
    if (name === 'document') {
      if (values.contentType !== 'document') before.current = values.contentType
      form.patch({
        isDocument: true,
        contentType: 'document',
        weightGrams: values.weightGrams ?? documentGrams,
      })
      return
    }
    form.patch({
      isDocument: false,
      contentType: values.contentType === 'document' ? before.current : values.contentType,
      ...(name === 'own' ? {} : { dimensions: cartons[name as keyof typeof cartons] }),
    })
  }

  return (
    <Stack gap={24}>
      <Grid min={220}>
        <WeightField field={form.field('weightGrams')} data-first />
        <SelectField field={form.field('contentType')} choices={contentTypes} />
      </Grid>
      <ChoiceCards
        legend={t('newParcel.size')}
        name="size"
        layout="row"
        value={preset}
        onChange={choose}
        choices={[
          ...(carriesDocuments
            ? [{ value: 'document', title: t('newParcel.preset.document'), text: t('newParcel.preset.flat') }]
            : []),
          ...(['s', 'm', 'l'] as const).map((name) => ({
            value: name,
            title: t(`newParcel.preset.${name}`),
            text: format.dimensions(cartons[name]),
          })),
          { value: 'own', title: t('newParcel.preset.own'), text: t('newParcel.preset.measure') },
        ]}
      />
      {/* Wide enough for the three lengths in one row. */}
      <Grid min={264} gap={24}>
        {!values.isDocument && (
          <Grid min={72} gap={12}>
            <LengthField field={form.field('dimensions.lengthMm')} />
            <LengthField field={form.field('dimensions.widthMm')} />
            <LengthField field={form.field('dimensions.heightMm')} />
          </Grid>
        )}
        <BoxDrawing size={size} isDocument={values.isDocument} />
        <WeightExplainer
          weightGrams={values.weightGrams}
          size={values.isDocument ? null : size}
          price={(!stale && quote?.price) || null}
        />
      </Grid>
      <Grid min={220}>
        <TextField field={form.field('contentDescription')} autoComplete="off" />
        <TextField
          field={form.field('reference')}
          autoComplete="off"
          help={hasAccount ? t('newParcel.referenceHelp') : t('newParcel.senderReferenceHelp')}
        />
        {!declares && <MoneyField field={form.field('declaredValueMinor')} />}

        {hasAccount && maxInsured !== 0 && (
          <CheckboxField
            field={form.field('insured', t('newParcel.insure'))}
            help={insurance(quote, maxInsured, t, format)}
          />
        )}

        {hasAccount && !abroad && (
          <CheckboxField field={form.field('collects', t('newParcel.collect'))} help={t('newParcel.collectHelp')} />
        )}
        {!abroad && values.collects && <MoneyField field={{ ...form.field('codAmountMinor'), required: true }} />}
      </Grid>
      {declares && (
        <LazyPart fallback={<Loading />}>
          <CustomsItems form={form} />
        </LazyPart>
      )}
      {hasAccount && <Photos form={form} />}
    </Stack>
  )
}

/** Photos of the packed content. Folded, and imported on demand. */
function Photos({ form }: Pick<Props, 'form'>) {
  const t = useT()
  const { photos } = form.values
  const [open, setOpen] = useState(photos.length > 0)
  if (!open) {
    return (
      <div>
        <Button size="compact-sm" leftSection={<IconCamera size={16} aria-hidden />} onClick={() => setOpen(true)}>
          {t('newParcel.addPhotos')}
        </Button>
      </div>
    )
  }
  return (
    <LazyPart fallback={<Loading />}>
      <ParcelPhotos form={form} />
    </LazyPart>
  )
}

/** The premium of the insurance, once it is known. */
function insurance(
  quote: ServiceQuote | null,
  maxInsured: number | null,
  t: ReturnType<typeof useT>,
  format: ReturnType<typeof useFormat>,
): string {
  const premium = quote?.price?.lines.find(({ kind }) => kind === 'insurance')?.amountMinor
  if (premium) return t('newParcel.insureFor', { amount: format.money(premium) })
  const limit = maxInsured && t('newParcel.insureUpTo', { amount: format.money(maxInsured) })
  const help = t('newParcel.insureHelp')
  return limit ? t('phrase.sentences', { first: help, second: limit }) : help
}
