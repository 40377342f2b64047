let context: AudioContext | null = null

/** Plays a short tone: high for success, low and twice for failure. Silent if the browser forbids sound. */
export function beep(well: boolean): void {
  try {
    context ??= new AudioContext()
    for (const [start, pitch] of well
      ? [[0, 1320]]
      : [
          [0, 220],
          [0.18, 220],
        ]) {
      const tone = context.createOscillator()
      const volume = context.createGain()
      tone.frequency.value = pitch ?? 440
      volume.gain.value = 0.15
      tone.connect(volume).connect(context.destination)
      tone.start(context.currentTime + (start ?? 0))
      tone.stop(context.currentTime + (start ?? 0) + 0.12)
    }
  } catch {
    // Without sound, the colour and the text still show the result.
  }
}
