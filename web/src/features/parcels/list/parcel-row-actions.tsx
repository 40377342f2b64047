import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPrinter, IconRepeat } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'

type Props = {
  parcel: Parcel
  name: string
  print: () => void
  /** Buttons with words: in the sheet of a phone. */
  words?: boolean
}

/** The actions of a parcel that users most often want from the list, as far as the server allows them now. */
export function ParcelRowActions({ parcel, name, print, words = false }: Props) {
  const t = useT()
  const navigate = useNavigate()
  const actions = [
    { action: 'print_note', label: t('parcelAction.print_note'), Icon: IconPrinter, run: print },
    {
      action: 'repeat',
      label: t('parcelAction.repeat'),
      Icon: IconRepeat,
      run: () => void navigate({ to: '/parcels/new', search: { repeat: parcel.id } }),
    },
    {
      action: 'edit',
      label: t('actions.edit'),
      Icon: IconPencil,
      run: () => void navigate({ to: '/parcels/new', search: { id: parcel.id } }),
    },
  ] as const
  return (
    <Buttons as="span">
      {actions
        .filter(({ action }) => parcel.allowedActions.includes(action))
        .map(({ action, label, Icon, run }) =>
          words ? (
            <Button
              key={action}
              leftSection={<Icon size={18} stroke={1.75} aria-hidden />}
              aria-label={t('phrase.labelled', { label, value: name })}
              onClick={run}
            >
              {label}
            </Button>
          ) : (
            <ActionIcon
              key={action}
              size={28}
              title={label}
              aria-label={t('phrase.labelled', { label, value: name })}
              onClick={run}
            >
              <Icon size={18} stroke={1.75} aria-hidden />
            </ActionIcon>
          ),
        )}
    </Buttons>
  )
}
