import type { Logger } from 'pino'
import type { Ports } from '../application/ports.js'
import { finishUnfinished } from '../application/processes/finish-unfinished.js'
import { timestamp } from '../domain/kernel/timestamp.js'

export interface ProcessManagers {
  /** Finishes the run at work and starts no other. */
  stop(): Promise<void>
}

const runEvery_ms = 5000
/** Longer than any request lives: whoever began such a step is at work on it no more. */
const requestLife_ms = 120_000

/**
 * Finishes what dead processes left. The first run takes all that was begun before this process, since nobody else serves
 * this instance, and is over when this resolves: whoever repeats a request of then must find it finished, not race with it.
 * The read models have to hold all events by then. Later runs take what is older than any request.
 */
export async function startProcessManagers(ports: Ports, logger: Logger): Promise<ProcessManagers> {
  const finish = finishUnfinished(ports)
  await runOnce(0)
  let run = Promise.resolve()
  const timer = setInterval(() => {
    run = run.then(() => runOnce(requestLife_ms))
  }, runEvery_ms)

  async function runOnce(age_ms: number): Promise<void> {
    const now = Date.now()
    try {
      const { finished, failures } = await finish(timestamp(now - age_ms), timestamp(now))
      if (finished > 0) logger.info({ finished }, 'finished steps that an earlier process had begun')
      for (const { step, error } of failures)
        logger.error({ err: error, process: step.process, key: step.key }, 'a step could not be finished yet')
    } catch (error) {
      logger.error({ err: error }, 'unfinished steps could not be looked up')
    }
  }

  return {
    stop: () => {
      clearInterval(timer)
      return run
    },
  }
}
