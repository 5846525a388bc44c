/** Runs an act several times, one after another. */
export async function repeat(times: number, act: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += 1) await act()
}
