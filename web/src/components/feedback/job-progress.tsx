import classes from './job-progress.module.css'

/** How far a job of the server has got. `text` says it in words; a live region around it is the caller's choice. */
export function JobProgress({ done, total, text }: { done: number; total: number; text: string }) {
  return (
    <div className={classes.progress}>
      {/* A bar whose maximum is 0 would be refused by the browser. */}
      <progress value={done} max={Math.max(total, 1)} aria-label={text} />
      <span>{text}</span>
    </div>
  )
}
