import { type Dimensions, volumetricGrams, weightGrams as weightRule } from '@waybill/contract/ground/measures'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { explainWeight } from './explain-weight.ts'

/** Used until the settings are loaded: the usual divisor from mm³ to grams. */
const usualDivisor = 5_000

type Props = { weightGrams: number | null; size: Dimensions | null; price: PriceBreakdown | null }

/** The chargeable weight and its reason: actual weight, volumetric weight, the larger of the two, rounded up. */
export function WeightExplainer({ weightGrams, size, price }: Props) {
  const t = useT()
  const format = useFormat()
  const settings = useDeployment()
  const divisor = price?.divisor ?? settings?.limits.volumetricDivisor ?? usualDivisor
  const volumetric = size ? volumetricGrams(size, divisor) : null
  const { data: actual = 0 } = weightRule.safeParse(weightGrams)
  const weights = explainWeight(actual, volumetric, price?.chargeableGrams)
  if (!weights) return null
  const formula = size && format.dimensionUnit === 'cm' && (
    <Quiet>{t('newParcel.weight.formula', { size: format.dimensions(size), divisor: format.number(divisor) })}</Quiet>
  )
  return (
    <Facts>
      {weights.actual && <Fact label={t('newParcel.weight.actual')}>{format.weight(weights.actual)}</Fact>}
      {weights.volumetric && (
        <Fact
          label={
            <>
              {t('newParcel.weight.volumetric')}
              {formula}
            </>
          }
        >
          {format.weight(weights.volumetric)}
        </Fact>
      )}
      {weights.chargeable && (
        <Fact
          total
          label={
            <>
              {t('newParcel.weight.chargeable')}
              {weights.by && <Quiet>{t(`newParcel.weight.by.${weights.by}`)}</Quiet>}
              {!weights.volumetric && formula}
              {weights.rounded && <Quiet>{t('newParcel.weight.rounded')}</Quiet>}
            </>
          }
        >
          {format.weight(weights.chargeable)}
        </Fact>
      )}
    </Facts>
  )
}
