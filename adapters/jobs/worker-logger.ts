import type { Logger as GraphileLogger } from 'graphile-worker'
import type { Logger } from 'pino'

/** Of graphile-worker's module: it reads files as it is loaded, so it is loaded only by those who work. */
type LoggerClass = typeof GraphileLogger

/**
 * Hands graphile-worker's log on. Payloads never get into it. What becomes of each job is said elsewhere (`carryOut`), and
 * what it calls information is for whoever looks into the queue itself.
 */
export function workerLogger(Class: LoggerClass, logger: Logger): GraphileLogger {
  return new Class(() => (level, message, meta = {}) => {
    if (meta['failure'] === true || meta['success'] === true) return
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
