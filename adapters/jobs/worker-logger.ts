import type { Logger as GraphileLogger } from 'graphile-worker'
import type { Logger } from 'pino'

/** From graphile-worker's module, which reads files when it is loaded: only working processes load it. */
type LoggerClass = typeof GraphileLogger

/** It advises a connection for each job. A job that runs holds none here. */
const poolAdvice = 'maxPoolSize'

/**
 * Passes on graphile-worker's log. Payloads never get into it. `carryOut` logs the outcome of each job. Graphile-worker's
 * "info" lines matter only to someone who inspects the queue itself.
 */
export function workerLogger(Class: LoggerClass, logger: Logger): GraphileLogger {
  return new Class(() => (level, message, meta = {}) => {
    if (meta['failure'] === true || meta['success'] === true || message.includes(poolAdvice)) return
    const members = meta['error'] instanceof Error ? { err: meta['error'] } : {}
    switch (String(level)) {
      case 'error':
        return logger.error(members, `job queue: ${message}`)
      case 'warning':
        return logger.warn(members, `job queue: ${message}`)
      case 'info':
        return logger.debug(members, `job queue: ${message}`)
      default:
        return logger.trace(members, `job queue: ${message}`)
    }
  })
}
