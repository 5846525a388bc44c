import type { Notifier, Subscriber } from '../ports/notifier.ts'

/** What a process of the version before asks. */
const question = 'who listens'

/**
 * Hears a topic as `subscribe` does, also from processes of the version before. Those announce nothing until another process has said
 * that it listens, and ask again a minute later: it is said once the topic is heard, and to each question. To be removed one version
 * later (decision 165).
 */
export function subscribeBesideOlder(notifier: Notifier, topic: string, { onText, onHearing }: Subscriber): () => void {
  const greet = (): void => notifier.tell(topic, 'I listen', `greeting on ${topic}`)
  return notifier.subscribe(topic, {
    onHearing: () => {
      greet()
      onHearing?.()
    },
    onText: (text, from) => (text === question ? greet() : onText(text, from)),
  })
}
