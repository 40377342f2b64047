import type { GeneralSettings } from '@waybill/contract/settings/settings'
import { ToggleButton } from '../../components/buttons/toggle-button.tsx'
import { Grid, Row } from '../../components/layout/boxes.tsx'
import { Fieldset } from '../../components/layout/fold.tsx'
import { Tag } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

type Props = {
  /** In minor units. */
  amounts: GeneralSettings['limits']['topUpPresetsMinor']
  getBonus: (amountMinor: number) => number
  value: number | null
  onChange: (amountMinor: number) => void
}

/** The usual amounts of a top-up, each with its bonus. */
export function TopUpPresets({ amounts, getBonus, value, onChange }: Props) {
  const t = useT()
  const format = useFormat()
  return (
    <Fieldset legend={t('walletPage.presets')}>
      <Grid min="max(156px, 40%)" gap={8} style={{ alignItems: 'stretch' }}>
        {amounts.map((amount) => (
          <ToggleButton key={amount} pressed={value === amount} onClick={() => onChange(amount)}>
            <Row as="span" gap="0 8px" justify="center">
              {format.money(amount)}
              {getBonus(amount) > 0 && (
                <Tag tone="success">{t('walletPage.bonus', { amount: format.money(getBonus(amount)) })}</Tag>
              )}
            </Row>
          </ToggleButton>
        ))}
      </Grid>
    </Fieldset>
  )
}
