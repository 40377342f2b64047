import { type ReactNode, useId } from 'react'
import classes from './choice-cards.module.css'

export type CardChoice = {
  value: string
  title: ReactNode
  /** A second line. */
  text?: ReactNode
  /** On the right, for example a price. */
  aside?: ReactNode
  disabled?: boolean
}

type Props = {
  legend: string
  /** The name of the inputs, to which a field error of the server is assigned. */
  name: string
  choices: readonly CardChoice[]
  value: string | null
  onChange: (value: string) => void
  error?: string | undefined
  /**
   * `lines`: one below the other. `pairs`: two side by side if there is room. `row`: small cards where only the border
   * marks the choice.
   */
  layout?: 'lines' | 'pairs' | 'row'
  hiddenLegend?: boolean
}

/** One of a few options, each with a description. They are radio buttons, so arrow keys move between them. */
export function ChoiceCards(props: Props) {
  const { legend, name, choices, value, onChange, error, layout = 'lines', hiddenLegend = false } = props
  const id = useId()
  return (
    <fieldset className={classes.root} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={hiddenLegend ? 'wb-hidden' : classes.legend}>{legend}</legend>
      <div className={layout === 'row' ? classes.row : classes.list} data-layout={layout}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.card} data-disabled={choice.disabled}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.disabled}
              aria-invalid={error !== undefined}
              onChange={() => onChange(choice.value)}
            />
            <span className={classes.words}>
              <span className={classes.title}>{choice.title}</span>
              {choice.text && <span className={classes.text}>{choice.text}</span>}
            </span>
            {choice.aside && <span className={classes.aside}>{choice.aside}</span>}
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className={`mantine-InputWrapper-error ${classes.error}`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
