/** What the doctor found out about one part. */
export interface Finding {
  readonly part: string
  /** `bad`: the instance does not work, or not for long. `warn`: it works, but probably not as is wanted. */
  readonly state: 'ok' | 'warn' | 'bad'
  readonly text: string
  /** What to do; only where there is something. */
  readonly advice?: string
}

export const ok = (part: string, text: string): Finding => ({ part, state: 'ok', text })
export const warn = (part: string, text: string, advice: string): Finding => ({ part, state: 'warn', text, advice })
export const bad = (part: string, text: string, advice: string): Finding => ({ part, state: 'bad', text, advice })

/** How long one check may take, unless it has a shorter limit of its own. */
export const check_ms_max = 15_000

/** The findings of a check. One that fails or hangs is a bad finding with the advice. */
export async function checked(
  part: string,
  advice: string,
  check: () => Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly Finding[]>((resolve) => {
    timer = setTimeout(resolve, check_ms_max, [bad(part, `no answer within ${check_ms_max / 1000} s`, advice)])
  })
  try {
    return [await Promise.race([check(), late])].flat()
  } catch (error) {
    return [bad(part, reasonOf(error), advice)]
  } finally {
    clearTimeout(timer)
  }
}

/** The message of an error, and what it says of its cause. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ')
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  const own = message === '' ? error.name : message
  if (!(cause instanceof Error) || cause.message === '' || own.includes(cause.message)) return own
  return `${own} (${cause.message})`
}

export const lineOf = ({ part, state, text, advice }: Finding): string =>
  `${state.padEnd(6)}${part.padEnd(14)}${text}${advice === undefined ? '' : `. ${advice}`}`
