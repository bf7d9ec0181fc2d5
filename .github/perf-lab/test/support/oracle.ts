import remarkGfm from 'remark-gfm';
import remarkGithub from 'remark-github';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

interface Node { type: string; url?: string; value?: string; children?: Node[] }

const PROCESSOR = unified().use(remarkParse).use(remarkGfm).use(remarkGithub, { repository: 'example/library' });

/** What GitHub's rules make active in a piece of Markdown: links (mentions, issues and commits among them), images, HTML. A model of GitHub, not GitHub. */
export function remark(markdown: string): string[] {
  const active: string[] = [];
  const walk = (node: Node): void => {
    if (node.type === 'link' || node.type === 'image') active.push(`${node.type} ${node.url}`);
    if (node.type === 'html') active.push(`html ${node.value}`);
    node.children?.forEach(walk);
  };
  walk(PROCESSOR.runSync(PROCESSOR.parse(markdown)) as Node);
  return active;
}
