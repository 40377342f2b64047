import { useT } from '../../../lib/i18n.ts'
import classes from './scan.module.css'
import { NextPileStation, StationChoice } from './station-choice.tsx'
import { type Mode, modes, type useScanDesk } from './use-scan-desk.ts'

type Props = { desk: ReturnType<typeof useScanDesk> }

/** Where this scanner stands, what it reports, and for what leaves: where the pile goes. */
export function ScanSetting({ desk }: Props) {
  const t = useT()
  const { mode, setMode, stationId, chooseStation, nextStationId, chooseNext } = desk
  return (
    <div className={classes.setting}>
      <div className={classes.stations}>
        <StationChoice value={stationId} onChange={chooseStation} />
        {mode === 'departed' && <NextPileStation value={nextStationId} onChange={chooseNext} />}
      </div>
      <fieldset className={classes.modes}>
        <legend className={classes.modesLabel}>{t('scanPage.mode')}</legend>
        <div className={classes.modeButtons}>
          {modes.map((choice: Mode) => (
            <button
              key={choice}
              type="button"
              className={classes.mode}
              aria-pressed={mode === choice}
              onClick={() => setMode(choice)}
            >
              {t(`scanPage.event.${choice}`)}
            </button>
          ))}
        </div>
      </fieldset>
    </div>
  )
}
