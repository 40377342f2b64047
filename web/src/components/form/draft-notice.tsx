import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Buttons } from '../layout/boxes.tsx'
import { Notice } from '../layout/text.tsx'
import type { ContractForm } from './contract-form.ts'

type Props<V extends object> = {
  form: ContractForm<V>
  /** Names the draft by its values, for example by the receiver. */
  getName?: (values: V) => string | null
  /** Called after a button of the notice changed the fields. */
  onChange?: (values: V) => void
}

/** Tells the user that a draft was restored, or offers one. Both can be discarded. Renders nothing without a draft. */
export function DraftNotice<V extends object>({ form, getName, onChange }: Props<V>) {
  const t = useT()
  const format = useFormat()
  const { draft } = form
  if (!draft) return null
  const at = format.dateTime(draft.keptAt)
  const name = getName?.(draft.values)
  const kind = draft.restored ? 'restored' : 'offered'
  return (
    <Notice as="div" role="status" style={{ marginBlockEnd: 16 }}>
      <IconHistory size={20} stroke={1.75} aria-hidden />
      <p>{name ? t(`draftNotice.${kind}For`, { at, name }) : t(`draftNotice.${kind}`, { at })}</p>
      <Buttons>
        {!draft.restored && (
          <Button
            onClick={() => {
              form.takeDraft()
              onChange?.(draft.values)
            }}
          >
            {t('draftNotice.take')}
          </Button>
        )}
        <Button onClick={() => onChange?.(form.dropDraft())}>
          {t(draft.restored ? 'draftNotice.startOver' : 'draftNotice.discard')}
        </Button>
      </Buttons>
    </Notice>
  )
}
