/**
 * Formats a time window, `09:00-12:00`, without line breaks. The word joiner is necessary: with a no-break space alone
 * a line may end after the dash.
 */
export const formatWindow = (window: string): string => window.replace('-', '\u00a0–\u2060\u00a0')
