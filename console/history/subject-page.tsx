import { useTranslate } from 'react-admin'
import { useParams } from 'react-router-dom'
import { Page } from '../parts/page.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { SubjectStreams } from './subject-streams.tsx'

/** The page of the streams of one subject. */
export function SubjectPage() {
  const translate = useTranslate()
  const { subject = '' } = useParams()
  return (
    <Page title={translate('console.history.streams_of', { subject })}>
      <p>
        {translate('console.history.streams')} <PlainText>{subject}</PlainText>
      </p>
      <SubjectStreams subject={subject} />
    </Page>
  )
}
