import "./menu.css";
import { type JSX, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";

/**
 * A button that opens a list of things to do or to go to. Arrow keys move in it, Escape closes it.
 */
export function Menu({
  label,
  button,
  up = false,
  children,
}: {
  /** What the list is read out as. */
  readonly label: string;
  readonly button: ReactNode;
  /** Opens above the button. */
  readonly up?: boolean;
  /** Elements with the role `menuitem`, and what stands between them. */
  readonly children: ReactNode;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const away = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && box.current?.contains(target))) setOpen(false);
    };
    addEventListener("pointerdown", away);
    itemsIn(box.current)[0]?.focus();
    return () => removeEventListener("pointerdown", away);
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const items = itemsIn(box.current);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape") close();
    else if (event.key === "Tab") return setOpen(false);
    else if (to === undefined) return;
    else items.at(to % items.length)?.focus();
    event.preventDefault();
  };
  return (
    <div className="menu" ref={box}>
      <button
        ref={opener}
        type="button"
        className="menu__button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div
          className={up ? "menu__list menu__list--up" : "menu__list"}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          onKeyDown={onKey}
          onClick={() => setOpen(false)}
        >
          {children}
        </div>
      )}
    </div>
  );
}

const itemsIn = (box: HTMLElement | null): HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
];
