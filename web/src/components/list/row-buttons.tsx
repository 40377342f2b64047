import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useT } from '../../lib/i18n.ts'

/** The edit button of a row. `of` names the row for screen readers, after the visible word for voice control. */
export function EditRowButton({ of, onClick }: { of: string; onClick: () => void }) {
  const t = useT()
  return (
    <Button
      size="compact-sm"
      title={t('actions.edit')}
      leftSection={<IconPencil size={16} aria-hidden />}
      aria-label={t('phrase.labelled', { label: t('actions.edit'), value: of })}
      onClick={onClick}
    >
      {t('actions.edit')}
    </Button>
  )
}

type RemoveProps = { of: string; remove: { send: () => Promise<boolean>; pending: boolean } }

/** The remove button of a row, with the result of `useSend`. */
export function RemoveRowButton({ of, remove }: RemoveProps) {
  const t = useT()
  return (
    <Button
      size="compact-sm"
      title={t('actions.remove')}
      leftSection={<IconTrash size={16} aria-hidden />}
      aria-label={t('phrase.labelled', { label: t('actions.remove'), value: of })}
      loading={remove.pending}
      onClick={() => void remove.send()}
    >
      {t('actions.remove')}
    </Button>
  )
}
