"""The dumps of a run one after the other: an animated GIF, and an mp4 where ffmpeg is on the PATH."""
import io
import os
import shutil
import subprocess

import flow
import style
from refusal import Refused


def movie(files, fields, stem, view=None, seal="", title=""):
    """Writes stem.gif and perhaps stem.mp4, about eight seconds long, and returns their paths. Every frame has the
    same size and the same scales."""
    pictures = []
    for picture in flow.frames(files, fields, view, title):
        pictures.append(picture.image() if (view or {}).get("size") else picture.image(finer=1))
        picture.close()
    if len(pictures) < 2:
        raise Refused(f"one dump, '{files[0]}', makes no movie", "output.every in the deck sets how many there are")
    seconds = min(max(8 / len(pictures), 1 / 25), 0.5)
    gif, mp4 = style.free_files(stem, ["gif", "mp4"], seal)
    still = [picture.convert("RGB").quantize(256, dither=0) for picture in pictures]
    moving = io.BytesIO()
    still[0].save(moving, format="gif", save_all=True, append_images=still[1:], duration=round(1000 * seconds), loop=0,
                  comment=seal.encode())
    style.put(gif, moving.getvalue())
    ffmpeg = shutil.which("ffmpeg")
    if not ffmpeg:
        return [gif]
    frames = io.BytesIO()
    for picture in pictures:
        picture.save(frames, format="png")
    # Even sizes and this pixel format are what players expect of H.264.
    partial = style.partial_name(mp4)
    sealed = ["-metadata", f"comment={seal}"] if seal else []
    subprocess.run([ffmpeg, "-y", "-loglevel", "error", "-f", "image2pipe", "-framerate", f"{1 / seconds:.6g}",
                    "-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", *sealed, "-f",
                    "mp4", str(partial)], input=frames.getvalue(), check=True)
    os.replace(partial, mp4)
    return [gif, mp4]
