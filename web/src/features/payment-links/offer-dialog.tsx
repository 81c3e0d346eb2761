import { type ReactNode, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { Button, Dialog, toast, toastError } from '../../ui/index.ts';
import { amountWords } from './offer-words.tsx';

type OfferDialogProps = {
  title: string;
  of: { amount: number | null; active: boolean };
  name: string;
  state: ReactNode;
  turn: (active: boolean) => Promise<unknown>;
  /** Refetches after a refusal, because the screen may be out of date. */
  readAgain: () => Promise<unknown>;
  words: {
    turnedOn: string;
    turnedOff: string;
    /** The consequence of turning it off. */
    off: string;
    failure: string;
  };
  onEdit: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** The detail of a link or counter code: turn it on or off, and edit it. A bottom sheet on phones. */
export function OfferDialog(props: OfferDialogProps) {
  const { title, of, name, state, turn, readAgain, words, onEdit, onClose, children } = props;
  const [asked, setAsked] = useState(false);
  const { turning, turnOn, turnOff } = useTurning({ turn, words, readAgain });
  if (asked)
    return (
      <ConfirmDialog
        open
        onClose={() => setAsked(false)}
        title={`Desligar “${name}”?`}
        confirm="Desligar"
        onConfirm={turnOff}
        failure={words.failure}
      >
        {words.off}
      </ConfirmDialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      locked={turning}
      footerStart={
        of.active ? (
          <Button variant="danger" onClick={() => setAsked(true)}>
            Desligar
          </Button>
        ) : (
          <Button sending={turning} sendingWord="Ligando" onClick={turnOn}>
            Ligar
          </Button>
        )
      }
      footer={
        <>
          <Button className="max-md:hidden" onClick={onClose}>
            Fechar
          </Button>
          <Button onClick={onEdit}>Editar</Button>
        </>
      }
    >
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {amountWords(of.amount)}
        </p>
        {state}
      </div>
      <h3 className="mt-2 text-base font-strong wrap-anywhere">{name}</h3>
      {children}
    </Dialog>
  );
}

type UseTurningOptions = {
  turn: OfferDialogProps['turn'];
  words: OfferDialogProps['words'];
  readAgain: OfferDialogProps['readAgain'];
};

/** Turns the offer on and off, and refetches it after a refusal. */
function useTurning({ turn, words, readAgain }: UseTurningOptions) {
  const [turning, setTurning] = useState(false);
  const turnOn = async () => {
    setTurning(true);
    try {
      await turn(true);
      toast(words.turnedOn);
    } catch (error) {
      toastError(errorText(error, 'Não foi possível ligar. Tente novamente.'));
      await readAgain();
    } finally {
      setTurning(false);
    }
  };
  const turnOff = async () => {
    try {
      await turn(false);
      toast(words.turnedOff);
    } catch (error) {
      await readAgain();
      throw error;
    }
  };

  return { turning, turnOn, turnOff };
}
