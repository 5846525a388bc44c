import Button from '@mui/material/Button'
import { useTranslate } from 'react-admin'
import type { ChainProps } from './chain-graph.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import type { ChainLink } from './chain.ts'

/** Chains as a list in which each effect is indented below its cause. */
export function ChainList({ chains, chosen, onChoice }: ChainProps) {
  const translate = useTranslate()
  const item = (link: ChainLink) => (
    <li key={link.id}>
      <Button
        size="small"
        variant={link.id === chosen ? 'contained' : 'text'}
        aria-pressed={link.id === chosen}
        onClick={() => onChoice(link.id)}
        sx={{ textAlign: 'start', textTransform: 'none', justifyContent: 'flex-start' }}
      >
        <span>
          {translate(`console.history.kind_${link.kind}`)}: <PlainText>{link.text}</PlainText>
        </span>
      </Button>
      {link.effects.length > 0 && <ul style={indent}>{link.effects.map(item)}</ul>}
    </li>
  )
  return <ul style={indent}>{chains.map(item)}</ul>
}

const indent = { margin: 0, paddingInlineStart: 16 }
