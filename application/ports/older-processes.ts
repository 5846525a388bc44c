import type { Notifier } from './notifier.js'

/**
 * Processes of the version before announce nothing on a topic until another process has said that it listens, and ask again a minute
 * later. To be removed one version later (decision 165).
 */
export function greetOlder(notifier: Pick<Notifier, 'tell'>, topic: string): void {
  notifier.tell(topic, 'I listen', `greeting on ${topic}`)
}

/** Whether a text is their question, which `greetOlder` answers. */
export const isOlderQuestion = (text: string): boolean => text === 'who listens'
