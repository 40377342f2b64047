import { NativeSelect } from '@mantine/core'
import { listAnswers } from '@waybill/contract/chat/inbox'
import { intlLocale } from '@waybill/contract/ground/constants'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'

/** Inserts a saved answer into the message. */
export function AnswerPicker({ onPick }: { onPick: (text: string) => void }) {
  const t = useT()
  const answers = useCall(listAnswers, {})
  const items = answers.data?.items ?? []
  if (items.length === 0) return null
  return (
    <NativeSelect
      label={t('inbox.insert')}
      maw={420}
      value=""
      onChange={(event) => {
        const picked = items.find(({ id }) => id === event.currentTarget.value)
        if (picked) onPick(picked.text)
      }}
    >
      <option value="">{t('actions.choose')}</option>
      {items.map(({ id, title, language }) => (
        <option key={id} value={id} lang={intlLocale(language)}>
          {title}
        </option>
      ))}
    </NativeSelect>
  )
}
