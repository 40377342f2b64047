import { ToggleButton } from '../../../components/buttons/toggle-button.tsx'
import { Buttons, Columns, Stack } from '../../../components/layout/boxes.tsx'
import { Fieldset } from '../../../components/layout/fold.tsx'
import { useT } from '../../../lib/i18n.ts'
import { NextPileStation, StationChoice } from './station-choice.tsx'
import { type Mode, modes, type useScanDesk } from './use-scan-desk.ts'

type Props = { desk: ReturnType<typeof useScanDesk> }

/** The settings of this scanner: its station, the event, and for departures the next station. */
export function ScanSetting({ desk }: Props) {
  const t = useT()
  const { mode, setMode, stationId, chooseStation, nextStationId, chooseNext } = desk
  return (
    <Columns template="minmax(220px, 320px) 1fr" style={{ marginBlockEnd: 24 }}>
      <Stack gap={12}>
        <StationChoice value={stationId} onChange={chooseStation} />
        {mode === 'departed' && <NextPileStation value={nextStationId} onChange={chooseNext} except={stationId} />}
      </Stack>
      <Fieldset gap={8} legend={t('scanPage.mode')}>
        <Buttons>
          {modes.map((choice: Mode) => (
            <ToggleButton key={choice} pressed={mode === choice} onClick={() => setMode(choice)}>
              {t(`scanPage.event.${choice}`)}
            </ToggleButton>
          ))}
        </Buttons>
      </Fieldset>
    </Columns>
  )
}
