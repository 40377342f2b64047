import { type Dimensions, volumetricGrams } from '@waybill/contract/ground/measures'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'

/** Used until the settings are loaded: the usual divisor from mm³ to grams. */
const usualDivisor = 5_000

type Props = { weightGrams: number | null; size: Dimensions | null; price: PriceBreakdown | null }

/** The chargeable weight and its reason: actual weight, volumetric weight, the larger of the two, rounded up. */
export function WeightExplainer({ weightGrams, size, price }: Props) {
  const t = useT()
  const format = useFormat()
  const settings = useDeployment()
  const divisor = price?.divisor ?? settings?.limits.volumetricDivisor ?? usualDivisor
  const hasWeight = weightGrams !== null && weightGrams > 0
  const volumetric = size ? volumetricGrams(size, divisor) : null
  const heavier = Math.max(hasWeight ? weightGrams : 0, volumetric ?? 0)
  if (heavier === 0) return null
  const chargeable = price?.chargeableGrams ?? heavier
  const by = volumetric !== null && volumetric > (hasWeight ? weightGrams : 0) ? 'size' : 'weight'
  return (
    <Facts>
      {hasWeight && <Fact label={t('newParcel.weight.actual')}>{format.weight(weightGrams)}</Fact>}
      {size && volumetric !== null && (
        <Fact
          label={
            <>
              {t('newParcel.weight.volumetric')}
              {format.dimensionUnit === 'cm' && (
                <Quiet>
                  {t('newParcel.weight.formula', { size: format.dimensions(size), divisor: format.number(divisor) })}
                </Quiet>
              )}
            </>
          }
        >
          {format.weight(volumetric)}
        </Fact>
      )}
      {hasWeight && (
        <Fact
          total
          label={
            <>
              {t('newParcel.weight.chargeable')}
              {volumetric !== null && <Quiet>{t(`newParcel.weight.by.${by}`)}</Quiet>}
              {chargeable > heavier && <Quiet>{t('newParcel.weight.rounded')}</Quiet>}
            </>
          }
        >
          {format.weight(chargeable)}
        </Fact>
      )}
    </Facts>
  )
}
